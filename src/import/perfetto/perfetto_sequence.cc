// SPDX-License-Identifier: Apache-2.0
#include "import/perfetto/perfetto_sequence.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "exchange/perfetto_field.h"

namespace pyrometer::import_ {
namespace {

using protozero::pbf_reader;

// Kinds of frames.
constexpr uint64_t kKernelKind = 2, kInterpretedKind = 3;
// Clocks below are the same for all sequences, and in nanoseconds.
constexpr uint64_t kFirstOwnClock = 64;
constexpr uint64_t kBootClock = 6;

constexpr size_t kEntryBytes = 120;

std::string_view UnitName(uint64_t unit) {
  static constexpr std::string_view kNames[] = {"",
                                                "nanoseconds",
                                                "cycles",
                                                "instructions",
                                                "bytes",
                                                "page faults",
                                                "cache misses",
                                                "cache references",
                                                "branch misses",
                                                "count"};
  return unit < std::size(kNames) ? kNames[unit] : kNames[0];
}

}  // namespace

void PerfettoSequence::Clear() {
  for (Texts* const texts : {&event_names_, &function_names_, &source_paths_, &mapping_paths_})
    texts->clear();
  mappings_.clear();
  frames_.clear();
  known_frames_.clear();
  stacks_.clear();
  known_stacks_.clear();
  tasks_.clear();
  counters_.clear();
}

void PerfettoSequence::ReadText(pbf_reader entry, Texts& to) {
  uint64_t id = 0;
  std::string_view text;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case VarintField(perfetto_field::text::kId):
        id = entry.get_uint64();
        break;
      case BytesField(perfetto_field::text::kText):
        text = ToText(entry.get_view());
        break;
      default:
        entry.skip();
    }
  }
  to[id] = text;
  maker_.Charge(text.size() + kEntryBytes);
}

void PerfettoSequence::ReadFrame(pbf_reader entry) {
  uint64_t id = 0;
  Frame frame;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case VarintField(perfetto_field::frame::kId):
        id = entry.get_uint64();
        break;
      case VarintField(perfetto_field::frame::kFunctionName):
        frame.name = entry.get_uint64();
        break;
      case VarintField(perfetto_field::frame::kMapping):
        frame.mapping = entry.get_uint64();
        break;
      case VarintField(perfetto_field::frame::kOffset):
        frame.offset = entry.get_uint64();
        break;
      case VarintField(perfetto_field::frame::kSourcePath):
        frame.path = entry.get_uint64();
        break;
      case VarintField(perfetto_field::frame::kLine):
        frame.line = entry.get_uint32();
        break;
      case VarintField(perfetto_field::frame::kKind):
        frame.kind = entry.get_uint64();
        break;
      default:
        entry.skip();
    }
  }
  frames_[id] = frame;
  known_frames_.erase(id);
  maker_.Charge(2 * kEntryBytes);
}

void PerfettoSequence::ReadStack(pbf_reader entry) {
  uint64_t id = 0;
  std::vector<uint64_t> frames;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case VarintField(perfetto_field::callstack::kId):
        id = entry.get_uint64();
        break;
      case VarintField(perfetto_field::callstack::kFrames):
        frames.push_back(entry.get_uint64());
        break;
      case BytesField(perfetto_field::callstack::kFrames):
        for (const uint64_t frame : entry.get_packed_uint64()) frames.push_back(frame);
        break;
      default:
        entry.skip();
    }
  }
  maker_.Charge(frames.size() * sizeof(uint64_t) + 2 * kEntryBytes);
  stacks_[id] = std::move(frames);
  known_stacks_.erase(id);
}

void PerfettoSequence::ReadMapping(pbf_reader entry) {
  uint64_t id = 0;
  std::string path;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case VarintField(perfetto_field::mapping::kId):
        id = entry.get_uint64();
        break;
      case VarintField(perfetto_field::mapping::kPath): {
        const std::string_view part = Text(mapping_paths_, entry.get_uint64());
        path += '/';
        path += part.substr(part.starts_with('/') ? 1 : 0);
        break;
      }
      default:
        entry.skip();
    }
  }
  if (path.starts_with("/[")) path.erase(0, 1);  // [kernel], [vdso], ...
  maker_.Charge(path.size() + kEntryBytes);
  mappings_[id] = std::move(path);
}

void PerfettoSequence::ReadInterned(pbf_reader interned) {
  // Mappings refer to paths, which may stand behind them.
  std::vector<pbf_reader> mappings;
  while (interned.next()) {
    switch (interned.tag_and_type()) {
      case BytesField(perfetto_field::interned::kEventNames):
        ReadText(interned.get_message(), event_names_);
        break;
      case BytesField(perfetto_field::interned::kFunctionNames):
        ReadText(interned.get_message(), function_names_);
        break;
      case BytesField(perfetto_field::interned::kSourcePaths):
        ReadText(interned.get_message(), source_paths_);
        break;
      case BytesField(perfetto_field::interned::kMappingPaths):
        ReadText(interned.get_message(), mapping_paths_);
        break;
      case BytesField(perfetto_field::interned::kMappings):
        mappings.push_back(interned.get_message());
        maker_.Charge(sizeof(pbf_reader));
        break;
      case BytesField(perfetto_field::interned::kFrames):
        ReadFrame(interned.get_message());
        break;
      case BytesField(perfetto_field::interned::kCallstacks):
        ReadStack(interned.get_message());
        break;
      case BytesField(perfetto_field::interned::kTasks): {
        const pbf_reader task = interned.get_message();
        pbf_reader id(task);
        if (id.next(perfetto_field::task::kId, protozero::pbf_wire_type::varint)) {
          tasks_[id.get_uint64()] = ReadTask(task);
          maker_.Charge(kEntryBytes);
        }
        break;
      }
      case BytesField(perfetto_field::interned::kCounters): {
        const pbf_reader counter = interned.get_message();
        pbf_reader id(counter);
        if (id.next(perfetto_field::value::kId, protozero::pbf_wire_type::varint)) {
          counters_[id.get_uint64()] = ReadCounter(counter);
          maker_.Charge(2 * kEntryBytes);
        }
        break;
      }
      default:
        interned.skip();
    }
    if (maker_.full()) return;
  }
  for (const pbf_reader& mapping : mappings) ReadMapping(mapping);
}

PerfettoSequence::Task PerfettoSequence::ReadTask(pbf_reader task) {
  Task read;
  while (task.next()) {
    switch (task.tag_and_type()) {
      case VarintField(perfetto_field::task::kPid):
        read.pid = task.get_uint32();
        break;
      case VarintField(perfetto_field::task::kTid):
        read.tid = task.get_uint32();
        break;
      default:
        task.skip();
    }
  }
  return read;
}

std::optional<PerfettoSequence::Task> PerfettoSequence::TaskOf(uint64_t iid) const {
  const auto it = tasks_.find(iid);
  return it == tasks_.end() ? std::nullopt : std::optional(it->second);
}

PerfettoCounter PerfettoSequence::ReadCounter(pbf_reader counter) {
  PerfettoCounter read;
  while (counter.next()) {
    switch (counter.tag_and_type()) {
      case BytesField(perfetto_field::value::kName):
        read.name = ToText(counter.get_view()).substr(0, 100);
        break;
      case VarintField(perfetto_field::value::kUnit):
        read.unit = UnitName(counter.get_uint64());
        break;
      case BytesField(perfetto_field::value::kUnitText):
        read.unit = ToText(counter.get_view()).substr(0, 100);
        break;
      case VarintField(perfetto_field::value::kMultiplier):
        read.multiplier = std::max<uint64_t>(1, counter.get_uint64());
        break;
      default:
        counter.skip();
    }
  }
  return read;
}

const PerfettoCounter* PerfettoSequence::CounterOf(uint64_t iid) const {
  const auto it = counters_.find(iid);
  return it == counters_.end() ? nullptr : &it->second;
}

void PerfettoSequence::ReadSampleDefaults(pbf_reader defaults) {
  source_.clear();
  primary_.reset();
  followers_.clear();
  while (defaults.next()) {
    switch (defaults.tag_and_type()) {
      case BytesField(perfetto_field::sample_defaults::kSource):
        source_ = ToText(defaults.get_view()).substr(0, 100);
        break;
      case BytesField(perfetto_field::sample_defaults::kPrimary):
        primary_ = ReadCounter(defaults.get_message());
        break;
      case BytesField(perfetto_field::sample_defaults::kFollower):
        followers_.push_back(ReadCounter(defaults.get_message()));
        maker_.Charge(kEntryBytes);
        break;
      default:
        defaults.skip();
    }
  }
}

void PerfettoSequence::ReadPerfDefaults(pbf_reader defaults) {
  constexpr uint32_t kTimebase = 1, kFrequency = 2;
  while (defaults.next()) {
    if (defaults.tag_and_type() != BytesField(kTimebase)) {
      defaults.skip();
      continue;
    }
    for (pbf_reader timebase = defaults.get_message(); timebase.next();) {
      if (timebase.tag_and_type() == VarintField(kFrequency))
        samples_per_second_ = timebase.get_uint64();
      else
        timebase.skip();
    }
  }
}

void PerfettoSequence::ReadDefaults(pbf_reader defaults) {
  default_clock_.reset();
  while (defaults.next()) {
    switch (defaults.tag_and_type()) {
      case BytesField(perfetto_field::defaults::kTrackEvent): {
        constexpr uint32_t kTrack = 11;
        pbf_reader of_events = defaults.get_message();
        if (of_events.next(kTrack, protozero::pbf_wire_type::varint))
          default_track_ = of_events.get_uint64();
        break;
      }
      case BytesField(perfetto_field::defaults::kPerfSample):
        ReadPerfDefaults(defaults.get_message());
        break;
      case BytesField(perfetto_field::defaults::kStackSample):
        ReadSampleDefaults(defaults.get_message());
        break;
      case VarintField(perfetto_field::defaults::kClock):
        default_clock_ = defaults.get_uint64();
        break;
      default:
        defaults.skip();
    }
  }
}

void PerfettoSequence::ReadClocks(pbf_reader snapshot) {
  std::vector<std::pair<uint64_t, Clock>> own;
  uint64_t boot_ns = 0;
  while (snapshot.next()) {
    if (snapshot.tag_and_type() != BytesField(perfetto_field::snapshot::kClocks)) {
      snapshot.skip();
      continue;
    }
    uint64_t id = 0, timestamp = 0;
    Clock clock;
    for (pbf_reader message = snapshot.get_message(); message.next();) {
      switch (message.tag_and_type()) {
        case VarintField(perfetto_field::clock::kId):
          id = message.get_uint64();
          break;
        case VarintField(perfetto_field::clock::kTimestamp):
          timestamp = message.get_uint64();
          break;
        case VarintField(perfetto_field::clock::kIncremental):
          clock.incremental = message.get_bool();
          break;
        case VarintField(perfetto_field::clock::kMultiplier):
          clock.multiplier_ns = std::max<uint64_t>(1, message.get_uint64());
          break;
        default:
          message.skip();
      }
    }
    if (id == kBootClock) boot_ns = timestamp;
    clock.now_ns = timestamp * clock.multiplier_ns;
    constexpr size_t kMostClocks = 100;
    if (id >= kFirstOwnClock && own.size() < kMostClocks) own.emplace_back(id, clock);
  }
  for (auto& [id, clock] : own) {
    clock.ahead_ns = boot_ns > clock.now_ns ? boot_ns - clock.now_ns : 0;
    clock.behind_ns = boot_ns != 0 && clock.now_ns > boot_ns ? clock.now_ns - boot_ns : 0;
    clocks_[id] = clock;
    maker_.Charge(kEntryBytes);
  }
}

uint64_t PerfettoSequence::TimeOf(uint64_t timestamp, std::optional<uint64_t> clock_id) {
  if (!clock_id) clock_id = default_clock_;
  const auto it = clock_id ? clocks_.find(*clock_id) : clocks_.end();
  if (it == clocks_.end()) return timestamp;
  // Wraps in damaged files only; what becomes too large is refused later.
  Clock& clock = it->second;
  const uint64_t ns = timestamp * clock.multiplier_ns;
  clock.now_ns = clock.incremental ? clock.now_ns + ns : ns;
  return clock.now_ns + clock.ahead_ns - std::min(clock.behind_ns, clock.now_ns);
}

std::string_view PerfettoSequence::EventName(uint64_t iid) const {
  const auto it = event_names_.find(iid);
  return it == event_names_.end() ? std::string_view() : it->second;
}

std::string_view PerfettoSequence::Text(const Texts& texts, uint64_t iid) {
  if (iid == 0) return {};
  const auto it = texts.find(iid);
  if (it != texts.end()) return it->second;
  maker_.AddLoss("texts that are missing");
  return {};
}

format::FrameId PerfettoSequence::FrameOf(uint64_t iid) {
  if (const auto it = known_frames_.find(iid); it != known_frames_.end()) return it->second;
  const auto it = frames_.find(iid);
  if (it == frames_.end()) {
    maker_.AddLoss("frames that are missing");
    return maker_.Frame({});
  }
  const Frame& frame = it->second;
  char address[20] = "0x";
  FrameText text{.name = Text(function_names_, frame.name),
                 .file = Text(source_paths_, frame.path),
                 .line = frame.line};
  if (text.name.empty() && frame.mapping != 0) {
    const auto [end, error] = std::to_chars(address + 2, std::end(address), frame.offset, 16);
    text.name = {address, static_cast<size_t>(end - address)};
  }
  if (frame.mapping != 0) text.module = Text(mappings_, frame.mapping);
  using Language = FrameText::Language;
  if (frame.kind == kInterpretedKind) text.language = Language::kPython;
  if (frame.kind == kKernelKind || text.module.starts_with("[kernel"))
    text.language = Language::kKernel;
  const format::FrameId known = maker_.Frame(text);
  known_frames_.emplace(iid, known);
  return known;
}

format::StackId PerfettoSequence::Stack(uint64_t iid) {
  if (const auto it = known_stacks_.find(iid); it != known_stacks_.end()) return it->second;
  const auto it = stacks_.find(iid);
  if (it == stacks_.end()) {
    maker_.AddLoss("stacks that are missing");
    return format::kEmptyStack;
  }
  path_.clear();
  for (const uint64_t frame : it->second) path_.push_back(FrameOf(frame));
  const format::StackId stack = maker_.Stack(path_);
  known_stacks_.emplace(iid, stack);
  return stack;
}

format::StackId PerfettoSequence::InlineStack(pbf_reader callstack) {
  path_.clear();
  while (callstack.next()) {
    if (callstack.tag_and_type() != BytesField(perfetto_field::inline_callstack::kFrames)) {
      callstack.skip();
      continue;
    }
    FrameText text;
    for (pbf_reader frame = callstack.get_message(); frame.next();) {
      switch (frame.tag_and_type()) {
        case BytesField(perfetto_field::inline_callstack::kName):
          text.name = ToText(frame.get_view());
          break;
        case BytesField(perfetto_field::inline_callstack::kFile):
          text.file = ToText(frame.get_view());
          break;
        case VarintField(perfetto_field::inline_callstack::kLine):
          text.line = frame.get_uint32();
          break;
        default:
          frame.skip();
      }
    }
    path_.push_back(maker_.Frame(text));
  }
  return maker_.Stack(path_);
}

}  // namespace pyrometer::import_
