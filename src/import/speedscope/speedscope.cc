// SPDX-License-Identifier: Apache-2.0
#include "import/speedscope/speedscope.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "import/core/count.h"
#include "import/core/module_path.h"
#include "import/core/own_metric.h"
#include "import/core/owner_label.h"
#include "import/json/json_sketch.h"
#include "import/json/json_value.h"
#include "import/speedscope/speedscope_profile.h"

namespace pyrometer::import_ {
namespace {

constexpr std::string_view kBytes = "bytes";
constexpr std::string_view kSchema = "speedscope.app/file-format-schema.json";

// Nanoseconds; 0: not a time.
double UnitNs(std::string_view unit) {
  return unit == "nanoseconds"    ? 1
         : unit == "microseconds" ? 1e3
         : unit == "milliseconds" ? 1e6
         : unit == "seconds"      ? 1e9
                                  : 0;
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
  if (const auto label = ParseOwnerLabel(owner.name)) {
    owner.name = label->name;
    owner.pid = label->pid;
    owner.tid = label->tid;
  }
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

class Speedscope {
 public:
  Speedscope(const ReadOptions& options, ProfileMaker& maker)
      : options_(options), maker_(maker), tree_(maker), own_metrics_(maker) {}

  void Read(JsonReader& json) {
    json.ForMembers([&](std::string_view key) {
      if (key == "exporter") {
        exporter_ = ReadText(json);
      } else if (key == "name") {
        name_ = ReadText(json);
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
    for (const SpeedscopeProfile& profile : profiles_) {
      has_bytes_ |= profile.unit() == kBytes;
      if (UnitNs(profile.unit()) > 0)
        start_ = std::min(start_, profile.start() * UnitNs(profile.unit()));
    }
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
    uint32_t line = 0;
    json.ForMembers([&](std::string_view key) {
      if (key == "name") {
        frame_name_ = json.Text().value_or("");
      } else if (key == "file") {
        frame_file_ = json.Text().value_or("");
      } else if (key == "line") {
        line = ReadSmall(json);
      }
    });
    if (maker_.full()) return;
    FrameText text{.name = frame_name_, .file = frame_file_, .line = line};
    if (IsModulePath(frame_file_)) std::swap(text.file, text.module);
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

  struct Span {
    uint64_t begin;
    uint64_t end;
  };
  // In the unit times `factor`, `zero` being 0. Both ends are rounded, so that sums stay what
  // they are.
  std::optional<Span> Scaled(const Piece& piece, double factor, double zero = 0) {
    const auto begin = Amount(piece.begin * factor - zero), end = Amount(piece.end * factor - zero);
    if (begin && end) return Span{*begin, *end};
    maker_.AddLoss("values that cannot be");
    return {};
  }

  bool WriteOwn(const SpeedscopeProfile& profile) {
    const Owner owner = ParseOwnName(profile.name());
    const auto metric = metric::Table().Find(owner.metric, metric::kExported);
    if (!metric) return false;
    const format::ThreadId thread = ThreadOf(owner);
    for (const Piece& piece : profile.pieces())
      if (const auto value = Scaled(piece, std::max(UnitNs(profile.unit()), 1.0)))
        own_metrics_.Add(thread, stacks_[piece.node], *metric, value->end - value->begin);
    return true;
  }

  void WriteOther(const SpeedscopeProfile& profile) {
    const Owner owner = ParseName(profile.name());
    const double unit_ns = UnitNs(profile.unit());
    if (unit_ns > 0) return WriteTimes(profile, unit_ns, ThreadOf(owner));
    if (has_bytes_) return WriteMemory(profile, owner.tid ? ThreadOf(owner) : maker_.OnlyThread());
    const format::ThreadId thread = ThreadOf(owner);
    for (const Piece& piece : profile.pieces())
      if (const auto value = Scaled(piece, 1))
        AddCount(maker_, thread, stacks_[piece.node], value->end - value->begin, options_.count);
    NoteCount(maker_, options_.count);
  }

  // Where there are bytes, numbers without a unit are those of blocks.
  void WriteMemory(const SpeedscopeProfile& profile, format::ThreadId thread) {
    const bool bytes = profile.unit() == kBytes;
    for (const Piece& piece : profile.pieces())
      if (const auto scaled = Scaled(piece, 1)) {
        const uint64_t value = scaled->end - scaled->begin;
        maker_.AddMemory(thread, stacks_[piece.node],
                         {.at_peak = MemoryValue::Amount{bytes ? value : 0, bytes ? 0 : value}});
      }
    maker_.AddNote(bytes ? "bytes are taken for memory in use at the peak"
                         : "numbers without a unit are taken for those of blocks of memory");
  }

  void WriteTimes(const SpeedscopeProfile& profile, double unit_ns, format::ThreadId thread) {
    if (profile.evented())
      maker_.AddNote("calls are timed by the clock: what waits inside of them counts as running");
    // Samples follow each other from the start on; calls have their times.
    const double zero = profile.evented() ? start_ : 0;
    uint64_t now_ns = Amount(profile.start() * unit_ns - start_).value_or(0);
    for (const Piece& piece : profile.pieces()) {
      const auto span = Scaled(piece, unit_ns, zero);
      if (!span || span->end == span->begin) continue;
      const uint64_t weight_ns = span->end - span->begin;
      now_ns = profile.evented() ? span->end : now_ns + weight_ns;
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
  bool has_bytes_ = false;
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
