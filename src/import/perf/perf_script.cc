// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_script.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "import/core/count.h"
#include "import/core/whole_number.h"
#include "import/input/line_input.h"

namespace pyrometer::import_ {
namespace {

// Words of a line that are looked at: names of commands have spaces, but not many.
constexpr size_t kMaxWords = 40;
// Deeper than any stack that perf records.
constexpr size_t kMaxFrames = size_t{1} << 20;

template <class Number>
bool Parse(std::string_view text, Number& number, int base = 10) {
  const auto whole = WholeNumber<Number>(text, base);
  if (whole) number = *whole;
  return whole.has_value();
}

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (words.size() < kMaxWords) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
  return words;
}

// "61645.610958:" in nanoseconds.
std::optional<uint64_t> ParseTime(std::string_view word) {
  if (!word.ends_with(':')) return {};
  word.remove_suffix(1);
  const size_t dot = word.find('.');
  if (dot == std::string_view::npos) return {};
  std::string_view fraction = word.substr(dot + 1);
  uint64_t seconds = 0, part = 0;
  if (fraction.size() > 9 || !Parse(word.substr(0, dot), seconds) || !Parse(fraction, part) ||
      seconds > 1'000'000'000)
    return {};
  for (size_t i = fraction.size(); i < 9; ++i) part *= 10;
  return seconds * 1'000'000'000 + part;
}

// Without what was asked of the event: "cpu-clock" of "cpu-clock:ppp", "cycles" of
// "cpu_core/cycles/P".
std::string_view EventName(std::string_view event) {
  const size_t slash = event.find('/');
  if (slash != std::string_view::npos) {
    event.remove_prefix(slash + 1);
    return event.substr(0, event.find('/'));
  }
  const size_t colon = event.rfind(':');
  if (colon != std::string_view::npos &&
      event.find_first_not_of("ukhpPGHSDWeb", colon + 1) == std::string_view::npos)
    event = event.substr(0, colon);
  return event;
}

// "comm 12/13 [000] 61645.610958: 2000000 cpu-clock:ppp: ", where all but the name, the
// number of the thread and the event may be missing.
struct Header {
  std::string_view command{};
  std::optional<uint64_t> pid{};
  uint64_t tid = 0;
  std::optional<uint64_t> time_ns{};
  std::optional<uint64_t> period{};
  std::string_view event{};
};

std::optional<Header> ParseHeader(std::string_view line) {
  const std::vector<std::string_view> words = Words(line);
  Header header;
  size_t at = words.size();  // of what follows who it was: time or event
  for (size_t i = 1; i < words.size() && at == words.size(); ++i) {
    header.time_ns = ParseTime(words[i]);
    if (header.time_ns) at = i;
  }
  size_t event = header.time_ns ? at + 1 : 1;
  while (event < words.size() && !(words[event].size() > 1 && words[event].ends_with(':'))) ++event;
  if (event >= words.size()) return {};
  header.event = words[event].substr(0, words[event].size() - 1);
  uint64_t number = 0;
  if (header.time_ns) {
    if (event > at + 1 && Parse(words[event - 1], number)) header.period = number;
  } else {
    at = event;
    // Of two numbers the second is the period.
    if (at > 2 && Parse(words[at - 1], number) &&
        words[at - 2].find_first_not_of("0123456789/") == std::string_view::npos) {
      header.period = number;
      --at;
    }
  }
  if (at > 1 && words[at - 1].starts_with('[') && words[at - 1].ends_with(']')) --at;  // CPU
  if (at < 2) return {};
  std::string_view who = words[at - 1];
  if (const size_t slash = who.find('/'); slash != std::string_view::npos) {
    if (!Parse(who.substr(0, slash), header.pid.emplace())) return {};
    who.remove_prefix(slash + 1);
  }
  // The idle task of each CPU has the number 0, or -1.
  if (who != "-1" && !Parse(who, header.tid)) return {};
  const char* const begin = words[0].data();
  header.command = {begin,
                    static_cast<size_t>(words[at - 2].data() + words[at - 2].size() - begin)};
  return header;
}

// "    7f16fb55f8a0 name+0x12 (/lib/libc.so.6)"
std::optional<FrameText> ParseFrame(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || begin == 0) return {};
  line.remove_prefix(begin);
  const size_t space = line.find(' ');
  uint64_t address = 0;
  if (space == std::string_view::npos || !Parse(line.substr(0, space), address, 16)) return {};
  line.remove_prefix(space + 1);
  FrameText text{.language = FrameText::Language::kNative};
  while (line.ends_with(' ')) line.remove_suffix(1);
  const size_t open = line.rfind(" (");
  if (line.ends_with(')') && open != std::string_view::npos) {
    text.module = line.substr(open + 2, line.size() - open - 3);
    line = line.substr(0, open);
  }
  if (text.module == "[unknown]" || text.module == "inlined") text.module = {};
  const size_t plus = line.rfind("+0x");
  text.name = line.substr(0, plus);
  constexpr uint64_t kKernelHalf = uint64_t{1} << 63;
  if (address >= kKernelHalf || text.module.starts_with("[kernel"))
    text.language = FrameText::Language::kKernel;
  // A trampoline of Python's perf support: "py::name:file".
  if (text.name.starts_with("py::")) {
    text.name.remove_prefix(4);
    const size_t colon = text.name.find(':');
    if (colon != std::string_view::npos) text.file = text.name.substr(colon + 1);
    text.name = text.name.substr(0, colon);
    text.module = {};
    text.language = FrameText::Language::kPython;
  }
  return text;
}

struct Sample {
  format::ThreadId thread{};
  std::optional<uint64_t> time_ns{}, period{};
  bool taken = false;
};

class PerfScript {
 public:
  PerfScript(ByteInput& input, const ReadOptions& options, ProfileMaker& maker)
      : lines_(input), options_(options), maker_(maker) {}

  base::Status Read() {
    while (const auto line = lines_.Next()) {
      if (line->find_first_not_of(" \t") == std::string_view::npos) {
        EndSample();
      } else if (!line->starts_with('#')) {
        ReadLine(*line);
      }
      if (maker_.full()) return {};
    }
    EndSample();
    if (event_.empty()) return base::Error{"no line of it begins a sample"};
    if (!lines_.status().ok()) maker_.AddLoss(lines_.status().error().message);
    Note();
    return {};
  }

 private:
  void ReadLine(std::string_view line) {
    if (sample_) {
      const auto frame = ParseFrame(line);
      if (frame && frames_.size() < kMaxFrames) {
        if (sample_->taken) frames_.push_back(maker_.Frame(*frame));
        return;
      }
    }
    const auto header = ParseHeader(line);
    if (!header) {
      maker_.AddLoss("lines that are neither a sample nor a frame");
      return;
    }
    EndSample();
    BeginSample(*header);
  }

  void BeginSample(const Header& header) {
    const std::string_view event = EventName(header.event);
    if (event_.empty()) {
      event_ = event.substr(0, 60);
      is_clock_ = event == "cpu-clock" || event == "task-clock";
    }
    Sample& sample = sample_.emplace();
    sample.taken = event == event_;
    // What different events count cannot be added up.
    if (!sample.taken) {
      maker_.AddLoss("samples of other events than " + event_);
      return;
    }
    if (!header.pid) without_pids_ = true;
    const format::ProcessId process = maker_.Process(header.pid.value_or(0));
    sample.thread = maker_.Thread(process, header.tid);
    maker_.NameThread(sample.thread, header.command);
    if (header.pid && *header.pid == header.tid) maker_.NameProcess(process, header.command);
    sample.period = header.period;
    if (!header.time_ns) return;
    if (!start_ns_) start_ns_ = header.time_ns;
    sample.time_ns = *header.time_ns - std::min(*start_ns_, *header.time_ns);
  }

  void EndSample() {
    if (!sample_) return;
    const Sample sample = *sample_;
    sample_.reset();
    std::ranges::reverse(frames_);
    if (sample.taken) Add(sample, maker_.Stack(frames_));
    frames_.clear();
  }

  void Add(const Sample& sample, format::StackId stack) {
    if (!sample.period) {
      without_periods_ = true;
      AddCount(maker_, sample.thread, stack, 1, options_.count);
      return;
    }
    const bool is_time = is_clock_ || options_.count.given;
    if (!is_time)
      return maker_.AddAmount(sample.thread, stack, event_, "events", *sample.period,
                              sample.time_ns);
    const uint64_t factor = !is_clock_ && options_.count.ns != 0 ? options_.count.ns : 1;
    constexpr uint64_t kMostNs = uint64_t{1} << 60;
    const uint64_t ns = *sample.period > kMostNs / factor ? kMostNs + 1 : *sample.period * factor;
    maker_.AddTime(sample.thread, stack, {.weight_ns = ns, .time_ns = sample.time_ns});
  }

  void Note() {
    if (without_pids_)
      maker_.AddNote("processes are not told apart: perf script -F +pid prints them");
    if (without_periods_) NoteCount(maker_, options_.count);
  }

  LineInput lines_;
  const ReadOptions& options_;
  ProfileMaker& maker_;
  std::string event_;  // of the first sample
  bool is_clock_ = false;
  bool without_pids_ = false, without_periods_ = false;
  std::optional<uint64_t> start_ns_;
  std::optional<Sample> sample_;
  std::vector<format::FrameId> frames_;  // of the sample, innermost first
};

}  // namespace

bool RecognisesPerfScript(std::string_view head, bool whole) {
  if (head.find('\0') != std::string_view::npos) return false;
  bool in_sample = false;
  while (!head.empty()) {
    const size_t end = head.find('\n');
    if (end == std::string_view::npos && !whole) return false;
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    if (in_sample) return ParseFrame(line).has_value();
    if (!ParseHeader(line)) return false;
    in_sample = true;
  }
  return false;
}

base::Status ReadPerfScript(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  return PerfScript(input, options, maker).Read();
}

}  // namespace pyrometer::import_
