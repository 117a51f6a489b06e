// SPDX-License-Identifier: Apache-2.0
#include "import/speedscope.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "import/count.h"
#include "import/json_number.h"
#include "import/json_reader.h"
#include "import/json_sketch.h"
#include "import/own_metric.h"
#include "import/speedscope_profile.h"

namespace pyrometer::import_ {
namespace {

constexpr std::string_view kSchema = "speedscope.app/file-format-schema.json";

// Nanoseconds; 0: not a time.
double UnitNs(std::string_view unit) {
  return unit == "nanoseconds"    ? 1
         : unit == "microseconds" ? 1e3
         : unit == "milliseconds" ? 1e6
         : unit == "seconds"      ? 1e9
                                  : 0;
}

// Takes a number off the front of `text`, behind `word`.
std::optional<uint64_t> TakeNumber(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  std::string_view rest = text.substr(word.size());
  const bool hexadecimal = rest.starts_with("0x");
  if (hexadecimal) rest.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return {};
  text = rest.substr(static_cast<size_t>(end - rest.data()));
  return number;
}

// Who ran, as the name of a profile says it.
struct Owner {
  std::string_view metric{};  // of pyrometer
  std::string_view name{};
  uint64_t pid = 0;
  std::optional<uint64_t> tid{};
};

// "metric: name (pid/tid)"
Owner ParseOwnName(std::string_view name) {
  Owner owner{.name = name};
  if (const size_t colon = name.find(": "); colon != std::string_view::npos) {
    owner.metric = name.substr(0, colon);
    owner.name = name.substr(colon + 2);
  }
  const size_t open = owner.name.rfind(" (");
  if (open == std::string_view::npos) return owner;
  std::string_view numbers = owner.name.substr(open + 2);
  const auto pid = TakeNumber(numbers, ""), tid = TakeNumber(numbers, "/");
  if (!pid || !tid || numbers != ")") return owner;
  owner.pid = *pid;
  owner.tid = *tid;
  owner.name = owner.name.substr(0, open);
  return owner;
}

// py-spy: "Process 12 Thread 34 \"name\"", with less where it was not asked for.
Owner ParseName(std::string_view name) {
  Owner owner{.name = name};
  std::string_view rest = name;
  const auto pid = TakeNumber(rest, "Process ");
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto tid = TakeNumber(rest, "Thread ");
  if (!tid) return owner;
  owner.pid = pid.value_or(0);
  owner.tid = tid;
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.size() > 1 && rest.starts_with('"') && rest.ends_with('"'))
    rest = rest.substr(1, rest.size() - 2);
  owner.name = rest;
  return owner;
}

// A frame has one place for its file; of native code it may be the library.
bool IsModule(std::string_view file) {
  if (file.starts_with('<')) return false;
  const size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string_view ending = file.substr(dot + 1);
  return ending == "so" || ending.empty() ||
         !std::ranges::all_of(ending, [](char c) { return c >= 'A' && c <= 'z'; });
}

class Speedscope {
 public:
  Speedscope(const ReadOptions& options, ProfileMaker& maker)
      : options_(options), maker_(maker), tree_(maker), own_metrics_(maker) {}

  void Read(JsonReader& json) {
    json.ForMembers([&](std::string_view key) {
      if (key == "exporter") {
        exporter_ = json.Text().value_or("");
      } else if (key == "name") {
        name_ = json.Text().value_or("");
      } else if (key == "shared") {
        json.ForMembers([&](std::string_view shared) {
          if (shared == "frames") json.ForElements([&] { ReadFrame(json); });
        });
      } else if (key == "profiles") {
        json.ForElements([&] {
          profiles_.emplace_back(tree_, maker_).Read(json);
          constexpr size_t kProfileBytes = 400;
          maker_.Charge(kProfileBytes);
          if (maker_.full()) profiles_.clear();
        });
      }
    });
  }

  void Write() {
    maker_.SetTool(exporter_);
    own_ = exporter_.starts_with("pyrometer");
    if (own_ && !name_.empty()) maker_.SetCommand({name_});
    stacks_ = tree_.Stacks(frames_);
    for (const SpeedscopeProfile& profile : profiles_)
      if (UnitNs(profile.unit()) > 0)
        start_ = std::min(start_, profile.start() * UnitNs(profile.unit()));
    for (const SpeedscopeProfile& profile : profiles_) {
      if (own_ && WriteOwn(profile)) continue;
      WriteOther(profile);
    }
    own_metrics_.Finish();
  }

 private:
  using Piece = SpeedscopeProfile::Piece;

  void ReadFrame(JsonReader& json) {
    frame_name_.clear();
    frame_file_.clear();
    int64_t line = 0;
    json.ForMembers([&](std::string_view key) {
      if (key == "name") {
        frame_name_ = json.Text().value_or("");
      } else if (key == "file") {
        frame_file_ = json.Text().value_or("");
      } else if (key == "line") {
        line = ScaledNumber(json.Number().value_or(""), 0).value_or(0);
      }
    });
    if (maker_.full()) return;
    FrameText text{.name = frame_name_, .file = frame_file_};
    if (line > 0 && line <= std::numeric_limits<uint32_t>::max())
      text.line = static_cast<uint32_t>(line);
    if (!frame_file_.empty() && IsModule(frame_file_)) std::swap(text.file, text.module);
    frames_.push_back(maker_.Frame(text));
    maker_.Charge(sizeof frames_[0]);
  }

  format::ThreadId ThreadOf(const Owner& owner) {
    // Without a number, threads are told apart by where they stand in the file.
    const uint64_t tid = owner.tid ? *owner.tid : ++unnumbered_;
    const format::ThreadId thread = maker_.Thread(maker_.Process(owner.pid), tid);
    maker_.NameThread(thread, owner.name);
    return thread;
  }

  struct Stretch {
    uint64_t begin;
    uint64_t end;
  };
  // In the unit times `factor`, `zero` being 0. Both ends are rounded, so that sums stay what
  // they are.
  std::optional<Stretch> Scaled(const Piece& piece, double factor, double zero = 0) {
    const auto begin = Amount(piece.begin * factor - zero), end = Amount(piece.end * factor - zero);
    if (begin && end) return Stretch{*begin, *end};
    maker_.AddLoss("values that cannot be");
    return {};
  }

  bool WriteOwn(const SpeedscopeProfile& profile) {
    const Owner owner = ParseOwnName(profile.name());
    const auto metric = FindOwnMetric(owner.metric);
    if (!metric) return false;
    const format::ThreadId thread = ThreadOf(owner);
    for (const Piece& piece : profile.pieces())
      if (const auto value = Scaled(piece, std::max(UnitNs(profile.unit()), 1.0)))
        own_metrics_.Add(thread, stacks_[piece.node], *metric, value->end - value->begin);
    return true;
  }

  void WriteOther(const SpeedscopeProfile& profile) {
    const format::ThreadId thread = ThreadOf(ParseName(profile.name()));
    const double unit_ns = UnitNs(profile.unit());
    if (unit_ns > 0) return WriteTimes(profile, unit_ns, thread);
    const bool bytes = profile.unit() == "bytes";
    CountMeaning meaning = options_.count;
    if (bytes) meaning = {.ns = 0, .given = true};
    for (const Piece& piece : profile.pieces())
      if (const auto value = Scaled(piece, 1))
        AddCount(maker_, thread, stacks_[piece.node], value->end - value->begin, meaning);
    if (bytes)
      maker_.AddNote("bytes are taken for memory in use at the peak");
    else
      NoteCount(maker_, meaning);
  }

  void WriteTimes(const SpeedscopeProfile& profile, double unit_ns, format::ThreadId thread) {
    if (profile.evented())
      maker_.AddNote("calls are timed by the clock: what waits inside of them counts as running");
    // Samples follow each other from the start on; calls have their times.
    const double zero = profile.evented() ? start_ : 0;
    uint64_t now_ns = Amount(profile.start() * unit_ns - start_).value_or(0);
    for (const Piece& piece : profile.pieces()) {
      const auto stretch = Scaled(piece, unit_ns, zero);
      if (!stretch || stretch->end == stretch->begin) continue;
      const uint64_t weight_ns = stretch->end - stretch->begin;
      now_ns = profile.evented() ? stretch->end : now_ns + weight_ns;
      maker_.AddTime(thread, stacks_[piece.node], {.weight_ns = weight_ns, .time_ns = now_ns});
    }
  }

  const ReadOptions& options_;
  ProfileMaker& maker_;
  PathTree tree_;
  OwnMetrics own_metrics_;
  std::string exporter_;
  std::string name_;
  std::string frame_name_, frame_file_;
  std::vector<format::FrameId> frames_;
  std::vector<format::StackId> stacks_;  // by node of the tree
  std::vector<SpeedscopeProfile> profiles_;
  double start_ = std::numeric_limits<double>::infinity();  // of the first one, in ns
  uint64_t unnumbered_ = 0;
  bool own_ = false;
};

}  // namespace

bool RecognisesSpeedscope(std::string_view head, bool) {
  if (head.find(kSchema) != std::string_view::npos) return SketchJson(head).Has("$schema");
  const JsonSketch sketch = SketchJson(head);
  return sketch.Has("shared") && sketch.Has("profiles");
}

base::Status ReadSpeedscope(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  JsonReader json(input);
  Speedscope speedscope(options, maker);
  speedscope.Read(json);
  if (!maker.full()) speedscope.Write();
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
