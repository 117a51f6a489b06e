// SPDX-License-Identifier: Apache-2.0
#include "import/chrome/chrome_trace.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "import/chrome/trace_owners.h"
#include "import/chrome/trace_regions.h"
#include "import/core/frame_label.h"
#include "import/core/module_path.h"
#include "import/json/json_sketch.h"
#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

// Times are in microseconds, with a fraction.
constexpr int kDigitsOfTime = 3;
// Nobody's clock that starts with the machine is there yet: then it counts from 1970.
constexpr int64_t kSince1970Ns = 1'000'000'000'000'000'000;
constexpr size_t kMaxSource = size_t{16} << 20;

bool IsPythonFile(std::string_view file) { return file.ends_with(".py") || file.starts_with('<'); }

// Kineto's calls of Python: "file.py(12): name".
std::optional<FrameText> ParsePythonFunction(std::string_view name) {
  const size_t close = name.find("): ");
  if (close == std::string_view::npos) return {};
  const size_t open = name.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return {};
  const auto line = ScaledNumber(name.substr(open + 1, close - open - 1), 0);
  if (!line || *line < 0 || *line > std::numeric_limits<uint32_t>::max()) return {};
  return FrameText{.name = name.substr(close + 3),
                   .file = name.substr(0, open),
                   .line = static_cast<uint32_t>(*line),
                   .language = FrameText::Language::kPython};
}

// One event; texts are kept from event to event, so that they need no memory of their own.
struct Event {
  char phase = 0;
  std::string name, category, id;
  std::optional<int64_t> at_ns, length_ns;
  uint64_t pid = 0, tid = 0;
  // Of its arguments.
  std::string argument_name, labels, file;
  uint32_t line = 0;

  void Clear() {
    phase = 0;
    for (std::string* text : {&name, &category, &id, &argument_name, &labels, &file}) text->clear();
    at_ns.reset();
    length_ns.reset();
    pid = tid = 0;
    line = 0;
  }
};

class ChromeTrace {
 public:
  ChromeTrace(JsonReader& json, ProfileMaker& maker)
      : json_(json), maker_(maker), owners_(maker), regions_(maker) {}

  void Read() {
    is_list_ = json_.Next() == JsonReader::Kind::kArray;
    if (is_list_) return ReadEvents();
    json_.ForMembers([&](std::string_view key) {
      if (key == "traceEvents") {
        ReadEvents();
      } else if (key == "baseTimeNanoseconds") {
        base_ns_ = ReadWhole(json_).value_or(0);
      } else if (key == "deviceProperties") {
        maker_.SetTool("PyTorch profiler");
      } else if (key == "viztracer_metadata") {
        ReadViztracer();
      } else if (key == "file_info") {
        ReadFiles();
      }
    });
  }

  // A list of events need not be closed: whoever writes it may be stopped at any time.
  bool ended_between_events() const {
    return is_list_ && json_.nesting() == 1 && json_.cut_off() && !maker_.empty();
  }

  void Write() {
    if (first_ns_ == std::numeric_limits<int64_t>::max()) return;
    const int64_t start_ns = base_ns_ + first_ns_;
    if (start_ns > kSince1970Ns) maker_.SetStart(static_cast<uint64_t>(start_ns));
    owners_.Write(first_ns_);
    regions_.Write(owners_, first_ns_);
    maker_.AddNote("calls are timed by the clock: what waits inside of them counts as running");
    if (has_gpu_) maker_.AddNote("what GPUs did counts as native code, on threads of its own");
    if (function_lines_)
      maker_.AddNote("the lines of functions are those where they begin: the file has no others");
    WriteLeftOut();
  }

 private:
  void ReadEvents() {
    json_.ForElements([&] {
      event_.Clear();
      json_.ForMembers([&](std::string_view key) { ReadMember(key); });
      if (!maker_.full() && json_.status().ok()) Take();
    });
  }

  void ReadMember(std::string_view key) {
    if (key == "name") {
      event_.name = json_.Text().value_or("");
    } else if (key == "ph") {
      const std::string_view phase = json_.Text().value_or("");
      event_.phase = phase.empty() ? '\0' : phase[0];
    } else if (key == "ts") {
      event_.at_ns = ScaledNumber(json_.Number().value_or(""), kDigitsOfTime);
    } else if (key == "dur") {
      event_.length_ns = ScaledNumber(json_.Number().value_or(""), kDigitsOfTime);
    } else if (key == "pid") {
      event_.pid = owners_.Number(json_);
    } else if (key == "tid") {
      event_.tid = owners_.Number(json_);
    } else if (key == "cat") {
      event_.category = json_.Text().value_or("");
    } else if (key == "args") {
      // Calls with a length have most of the bytes of a file here, and nothing that is needed.
      if (event_.phase != 'X') ReadArguments();
    } else if (key == "id" || key == "id2") {
      ReadId();
    }
  }

  void ReadArguments() {
    json_.ForMembers([&](std::string_view key) {
      if (key == "name") {
        event_.argument_name = json_.Text().value_or("");
      } else if (key == "labels") {
        event_.labels = json_.Text().value_or("");
      } else if (key == "file" || key == "filename") {
        event_.file = json_.Text().value_or("");
      } else if (key == "line") {
        event_.line = ReadSmall(json_);
      }
    });
  }

  void ReadId() {
    switch (json_.Next()) {
      case JsonReader::Kind::kText:
        event_.id = json_.Text().value_or("");
        break;
      case JsonReader::Kind::kNumber:
        event_.id = json_.Number().value_or("");
        break;
      default:
        json_.ForMembers([&](std::string_view scope) {
          event_.id = scope;
          event_.id += ' ';
          event_.id += json_.Text().value_or("");
        });
    }
  }

  void ReadViztracer() {
    json_.ForMembers([&](std::string_view key) {
      if (key == "version")
        maker_.SetTool("viztracer " + ReadText(json_));
      else if (key == "overflow" && json_.True())
        maker_.AddNote("viztracer's buffer was full: the beginning of the run is missing");
    });
  }

  // The sources that viztracer puts into its files: path, then text and number of lines.
  void ReadFiles() {
    json_.ForMembers([&](std::string_view key) {
      if (key != "files") return;
      json_.ForMembers([&](std::string_view path) {
        const std::string kept(path);
        bool first = true;
        json_.ForElements([&] {
          if (first)
            if (const auto text = json_.Text(kMaxSource)) maker_.AddSource(kept, *text);
          first = false;
        });
      });
    });
  }

  void Take() {
    switch (event_.phase) {
      case 'X':
        return TakeCall();
      case 'B':
      case 'E':
        return TakeMark();
      case 'b':
      case 'e':
      case 'S':
      case 'F':
        return TakeRegion();
      case 'M':
        return TakeName();
      case 'C':
        ++counters_;
        return;
      case 'i':
      case 'I':
      case 'R':
      case 'n':
      case 'T':
      case 'p':
        ++instants_;
        return;
      case 's':
      case 't':
      case 'f':
        ++flows_;
        return;
      case '\0':
        maker_.AddLoss("events that make no sense");
        return;
      default:
        ++others_;
    }
  }

  // Whether the event says when it was.
  bool TakeTime() {
    if (!event_.at_ns) {
      maker_.AddLoss("events without a time");
      return false;
    }
    first_ns_ = std::min(first_ns_, *event_.at_ns);
    return true;
  }

  void TakeCall() {
    if (!event_.length_ns || *event_.length_ns < 0) {
      maker_.AddLoss("calls without a length");
      return;
    }
    if (!TakeTime()) return;
    const int64_t end_ns = *event_.at_ns + *event_.length_ns;
    // Kineto's frames around everything that it has recorded.
    if (event_.category == "Trace") {
      regions_.Add(owners_.TrackNumber(event_.pid, event_.tid), event_.name, *event_.at_ns, end_ns);
      return;
    }
    has_gpu_ |= event_.category == "kernel" || event_.category.starts_with("gpu_");
    owners_.Track(event_.pid, event_.tid).Add(*event_.at_ns, end_ns, FrameOf());
    maker_.Charge(CallTrack::kCallBytes);
  }

  void TakeMark() {
    if (!TakeTime()) return;
    CallTrack& track = owners_.Track(event_.pid, event_.tid);
    if (event_.phase == 'B')
      track.Begin(*event_.at_ns, FrameOf());
    else
      track.End(*event_.at_ns);
    maker_.Charge(2 * CallTrack::kCallBytes);
  }

  void TakeRegion() {
    if (!TakeTime()) return;
    // What is the same for two events with one number: their category, too.
    event_.id += '\n';
    event_.id += event_.category;
    regions_.Mark(owners_.TrackNumber(event_.pid, event_.tid), event_.id, event_.name,
                  *event_.at_ns, event_.phase == 'b' || event_.phase == 'S');
  }

  void TakeName() {
    if (event_.name == "process_name")
      owners_.NameProcess(event_.pid, event_.argument_name);
    else if (event_.name == "process_labels")
      owners_.LabelProcess(event_.pid, event_.labels);
    else if (event_.name == "thread_name")
      owners_.NameThread(event_.pid, event_.tid, event_.argument_name);
  }

  format::FrameId FrameOf() {
    if (!event_.file.empty()) {
      FrameText text{.name = event_.name, .file = event_.file, .line = event_.line};
      if (IsModulePath(event_.file)) std::swap(text.file, text.module);
      return maker_.Frame(text);
    }
    const bool python = event_.category == "python_function";
    auto& known = python ? python_frames_ : frames_;
    const auto it = known.find(std::string_view(event_.name));
    if (it != known.end()) return it->second;
    const format::FrameId frame = MakeFrame(event_.name, python);
    known.emplace(event_.name, frame);
    constexpr size_t kEntryBytes = 96;
    maker_.Charge(kEntryBytes + event_.name.size());
    return frame;
  }

  format::FrameId MakeFrame(std::string_view name, bool python) {
    FrameText text{.name = name, .language = FrameText::Language::kNative};
    if (python) {
      if (const auto function = ParsePythonFunction(name)) text = *function;
    } else if (const FrameText label = ParseFrameLabel(name);
               label.line > 0 && IsPythonFile(label.file)) {
      text = label;
    }
    function_lines_ |= text.line > 0;
    text.first_line = text.line;
    return maker_.Frame(text);
  }

  void WriteLeftOut() {
    std::string left_out;
    for (const auto& [count, what] :
         {std::pair(counters_, "counter values"), std::pair(instants_, "points in time"),
          std::pair(flows_, "arrows"), std::pair(others_, "events of other kinds")})
      if (count > 0)
        left_out +=
            (left_out.empty() ? "" : ", ") + std::string(what) + " (" + std::to_string(count) + ")";
    if (!left_out.empty()) maker_.AddNote("left out: " + left_out);
  }

  using FrameIndex =
      std::unordered_map<std::string, format::FrameId, base::TextHash, std::equal_to<>>;

  JsonReader& json_;
  ProfileMaker& maker_;
  TraceOwners owners_;
  TraceRegions regions_;
  Event event_;
  FrameIndex frames_, python_frames_;  // by name
  bool is_list_ = false;               // of events, with nothing around it
  int64_t base_ns_ = 0;
  int64_t first_ns_ = std::numeric_limits<int64_t>::max();
  bool function_lines_ = false;
  bool has_gpu_ = false;
  uint64_t counters_ = 0, instants_ = 0, flows_ = 0, others_ = 0;
};

}  // namespace

bool RecognisesChromeTrace(std::string_view head, bool) {
  const JsonSketch sketch = SketchJson(head);
  if (sketch.array) return sketch.Has("ph");
  return sketch.Has("traceEvents") ||
         (sketch.Has("schemaVersion") && sketch.Has("deviceProperties"));
}

base::Status ReadChromeTrace(ByteInput& input, const ReadOptions&, ProfileMaker& maker) {
  JsonReader json(input);
  ChromeTrace trace(json, maker);
  trace.Read();
  if (!maker.full()) trace.Write();
  if (trace.ended_between_events()) return {};
  return FinishJson(json, maker);
}

}  // namespace pyrometer::import_
