// SPDX-License-Identifier: Apache-2.0
#include "import/core/profile_maker.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pyrometer::import_ {
namespace {

using format::FrameId;
using format::FrameInfo;
using format::FrameKind;
using format::ProcessId;
using format::StackId;
using format::StringId;
using format::ThreadId;

constexpr char kOmitted[] = "<frames left out>";
// Of a stack that is too deep: how much of its outer end is kept.
constexpr size_t kOuterKept = 500;

// About what one entry takes in the tables here and in the profile.
constexpr size_t kFrameBytes = 200, kStackBytes = 48, kSampleBytes = 56, kMemoryBytes = 400,
                 kTextBytes = 128;

bool LooksLikePython(std::string_view file) {
  if (file.starts_with('<')) return true;  // <string>, <frozen importlib._bootstrap>, ...
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".py", ".pyw", ".pyx", ".pxd", ".pyi", ".ipynb"},
      [&](std::string_view ending) { return file.ends_with(ending); });
}

uint32_t Small(uint64_t number) {
  return static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<uint32_t>::max()));
}

format::MemoryAmount ToAmount(const std::optional<MemoryValue::Amount>& amount) {
  if (!amount) return {};
  return {amount->bytes, amount->blocks, amount->blocks, 0};
}

format::MemoryAmount Difference(const format::MemoryAmount& a, const format::MemoryAmount& b) {
  const auto less = [](uint64_t x, uint64_t y) { return x > y ? x - y : 0; };
  return {less(a.bytes, b.bytes), less(a.blocks, b.blocks), less(a.samples, b.samples), 0};
}

}  // namespace

StringId ProfileMaker::Text(std::string_view text) {
  if (text.empty()) return format::kEmptyString;
  if (const auto it = texts_.find(text); it != texts_.end()) return StringId(it->second);
  const StringId id(Small(texts_.size() + 1));
  texts_.emplace(text, id.value);
  builder_.OnString(id, text);
  Spend(2 * text.size() + kTextBytes);
  return id;
}

ProcessId ProfileMaker::Process(uint64_t pid) {
  const auto [it, fresh] = process_of_.try_emplace(pid, Small(processes_.size()));
  const ProcessId id(it->second);
  if (!fresh) return id;
  processes_.emplace_back();
  builder_.OnProcess(id, {.pid = pid, .sample_period_ns = period_ns_});
  Spend(kMemoryBytes);
  return id;
}

ThreadId ProfileMaker::Thread(ProcessId process, uint64_t tid) {
  const auto [it, fresh] = thread_of_.try_emplace({process.value, tid}, Small(threads_.size()));
  const ThreadId id(it->second);
  if (!fresh) return id;
  threads_.push_back({process, {}, 0});
  builder_.OnThread(id, {.process = process, .tid = tid});
  Spend(kMemoryBytes);
  return id;
}

void ProfileMaker::NameProcess(ProcessId process, std::string_view name) {
  std::string& known = processes_[process.value].name;
  if (known == name) return;
  known = name;
  Spend(name.size());
}

void ProfileMaker::NameThread(ThreadId thread, std::string_view name) {
  std::string& known = threads_[thread.value].name;
  if (known == name) return;
  known = name;
  Spend(name.size());
}

FrameInfo ProfileMaker::PythonFrame(const FrameText& text) {
  const StringId file = Text(text.file), name = Text(text.name);
  const auto [it, fresh] =
      codes_.try_emplace({file.value, name.value, text.first_line}, Small(codes_.size()));
  const format::CodeId code(it->second);
  if (fresh) builder_.OnCode(code, {file, name, text.first_line});
  return {.kind = FrameKind::kPython, .code = code, .line = text.line};
}

FrameInfo ProfileMaker::NativeFrame(const FrameText& text) {
  const StringId path = Text(text.module);
  const auto [it, fresh] = modules_.try_emplace(path.value, Small(modules_.size()));
  const format::ModuleId module(it->second);
  if (fresh) builder_.OnModule(module, {.path = path});
  // Addresses are not known and not needed: each frame has its name already.
  return {.kind = FrameKind::kNative, .module = module, .address = frames_.size()};
}

FrameId ProfileMaker::Frame(const FrameText& text) {
  using Language = FrameText::Language;
  Language language = text.language;
  if (language == Language::kGuess)
    language = LooksLikePython(text.file) ? Language::kPython : Language::kNative;
  const std::string_view name = text.name.empty() ? "<unknown>" : text.name;
  const StringId name_id = Text(name), file = Text(text.file), module = Text(text.module);
  const auto [it, fresh] = frames_.try_emplace({name_id.value, file.value, module.value, text.line,
                                                text.first_line, static_cast<uint8_t>(language)},
                                               Small(frames_.size()));
  const FrameId id(it->second);
  if (!fresh) return id;
  FrameText named = text;
  named.name = name;
  Spend(kFrameBytes);
  switch (language) {
    case Language::kPython:
      activities_.push_back(format::Activity::kPython);
      builder_.OnFrame(id, PythonFrame(named));
      return id;
    case Language::kKernel:
      activities_.push_back(format::Activity::kKernel);
      break;
    default:
      activities_.push_back(format::Activity::kNative);
      break;
  }
  builder_.OnFrame(id, NativeFrame(named));
  builder_.OnSymbol({.frame = id, .lines = {{name_id, file, text.line}}});
  return id;
}

StackId ProfileMaker::Stack(StackId caller, FrameId frame) {
  if (full()) return caller;
  const uint32_t depth = depths_[caller.value] + 1;
  if (depth > kMaxDepth) {
    AddLoss("calls below " + std::to_string(kMaxDepth) + " others");
    return caller;
  }
  const uint32_t known = stacks_.size();
  const uint32_t number = stacks_.Number(caller.value, frame.value);
  const StackId id(number + 1);
  if (number != known) return id;
  builder_.OnStack(id, {caller, frame});
  depths_.push_back(depth);
  leaves_.push_back(frame.value);
  Spend(kStackBytes);
  return id;
}

StackId ProfileMaker::Stack(std::span<const FrameId> frames) {
  StackId stack = format::kEmptyStack;
  if (frames.size() > kMaxDepth) {
    for (const FrameId frame : frames.first(kOuterKept)) stack = Stack(stack, frame);
    stack = Stack(stack, Frame({.name = kOmitted}));
    frames = frames.last(kMaxDepth - kOuterKept - 1);
    AddLoss("stacks with more than " + std::to_string(kMaxDepth) + " frames");
  }
  for (const FrameId frame : frames) stack = Stack(stack, frame);
  return stack;
}

void ProfileMaker::AddTime(ThreadId thread, StackId stack, const TimeValue& value) {
  if (full() || value.count == 0) return;
  ThreadState& state = threads_[thread.value];
  // Samples without a time follow each other, as they do in the file.
  const uint64_t end =
      value.time_ns ? std::max(*value.time_ns, state.end_ns) : state.end_ns + value.weight_ns;
  if (!value.time_ns) without_times_ = true;
  const format::Activity by_frame =
      stack == format::kEmptyStack ? format::Activity::kNative : activities_[leaves_[stack.value]];
  if (!builder_.OnSample({.time_ns = value.time_ns.value_or(end),
                          .thread = thread,
                          .stack = stack,
                          .activity = value.activity.value_or(by_frame),
                          .weight_ns = value.weight_ns,
                          .count = Small(value.count)})) {
    AddLoss("values that cannot be");
    return;
  }
  state.end_ns = end;
  uint64_t& process_end = processes_[state.process.value].end_ns;
  process_end = std::max(process_end, end);
  has_values_ = true;
  Spend(kSampleBytes);
}

void ProfileMaker::AddMemory(ThreadId thread, StackId stack, const MemoryValue& value) {
  if (full()) return;
  const uint32_t number = memory_places_.Number(thread.value, stack.value);
  if (number == memory_.size()) {
    memory_.push_back({.thread = thread, .stack = stack});
    Spend(kMemoryBytes);
  }
  MemoryState& state = memory_[number];
  state.allocated += ToAmount(value.allocated);
  state.at_peak += ToAmount(value.at_peak);
  state.left += ToAmount(value.left);
  state.copied += ToAmount(value.copied);
  has_values_ = true;
}

void ProfileMaker::AddAmount(ThreadId thread, StackId stack, std::string_view name,
                             std::string_view unit, uint64_t value,
                             std::optional<uint64_t> time_ns) {
  if (full()) return;
  auto known = metrics_.find(name);
  if (known == metrics_.end()) {
    const format::MetricId id(static_cast<uint32_t>(metrics_.size()));
    const bool has_room =
        builder_.OnMetric(id, {.name = Text(name), .unit = Text(unit), .title = {}});
    known = metrics_.emplace(name, has_room ? std::optional(id) : std::nullopt).first;
  }
  if (!known->second) return AddLoss("values of metrics beyond those there is room for");
  if (!builder_.OnMetricAmount({.metric = *known->second,
                                .thread = thread,
                                .stack = stack,
                                .time_ns = time_ns,
                                .value = value}))
    return AddLoss("values that cannot be");
  Spend(sizeof(profile::Amount));
  has_values_ = true;
}

void ProfileMaker::AddRegion(ThreadId thread, std::string_view name, uint64_t begin_ns,
                             uint64_t length_ns) {
  if (full()) return;
  if (!builder_.OnRegion({thread, Text(name), begin_ns, length_ns, 0})) {
    AddLoss("values that cannot be");
    return;
  }
  Spend(sizeof(format::RegionInfo));
  has_values_ = true;
  uint64_t& end_ns = processes_[threads_[thread.value].process.value].end_ns;
  end_ns = std::max(end_ns, begin_ns + length_ns);
}

void ProfileMaker::AddSource(std::string_view path, std::string_view text) {
  if (full()) return;
  builder_.OnSource({Text(path), std::string(text)});
  Spend(text.size());
}

void ProfileMaker::AddNote(std::string_view note) {
  if (std::ranges::find(notes_, note) != notes_.end()) return;
  notes_.emplace_back(note);
  Spend(note.size());
}

void ProfileMaker::AddLoss(std::string_view name, uint64_t count) {
  const auto it = losses_.find(name);
  if (it == losses_.end())
    losses_.emplace(name, count);
  else
    it->second += count;
}

// A file knows sums only. They become two windows: everything is allocated up to the
// peak, but for what was not live at it and survived; what did not survive is freed after it.
void ProfileMaker::WriteMemory() {
  std::map<ProcessId, format::MemoryPeak> peaks;
  std::map<ProcessId, format::MemorySurvivors> survivors;
  // A file that knows no peak has had it at the end, as far as can be told.
  const bool knows_peak = std::ranges::any_of(
      memory_, [](const MemoryState& state) { return state.at_peak.bytes > 0; });
  for (const MemoryState& state : memory_) {
    const auto [thread, stack] = std::pair(state.thread, state.stack);
    const ProcessId process = threads_[thread.value].process;
    const uint64_t end_ns = std::max(processes_[process.value].end_ns, duration_ns_);
    const uint64_t peak_ns = end_ns / 2;
    const format::MemoryKind kind =
        stack != format::kEmptyStack &&
                activities_[leaves_[stack.value]] == format::Activity::kPython
            ? format::MemoryKind::kPython
            : format::MemoryKind::kNative;
    // A file that knows only what is in use knows that as much was allocated.
    format::MemoryAmount allocated = state.allocated;
    if (allocated.bytes < std::max(state.at_peak.bytes, state.left.bytes))
      allocated = state.at_peak.bytes > state.left.bytes ? state.at_peak : state.left;
    const format::MemoryAmount& at_peak = knows_peak ? state.at_peak : state.left;
    bool good = true;
    if (allocated.bytes > 0 || allocated.blocks > 0) {
      const format::MemoryAmount later = Difference(state.left, at_peak);
      format::MemoryAmount before = Difference(allocated, later);
      before.variance_kib2 = allocated.variance_kib2;
      good = builder_.OnMemoryChange(
          {peak_ns, thread, stack, kind, before, Difference(before, at_peak), at_peak.bytes});
      const format::MemoryAmount freed = Difference(at_peak, state.left);
      if (later.bytes > 0 || freed.bytes > 0)
        good &= builder_.OnMemoryChange(
            {end_ns, thread, stack, kind, later, freed, std::max(at_peak.bytes, state.left.bytes)});
    }
    if (state.copied.bytes > 0)
      good &= builder_.OnMemoryChange(
          {peak_ns, thread, stack, format::MemoryKind::kCopied, state.copied, {}, 0});
    if (!good) AddLoss("values that cannot be");
    if (!good) continue;
    if (state.at_peak.bytes > 0) {
      format::MemoryPeak& peak = peaks[process];
      peak.time_ns = peak_ns;
      peak.parts.push_back({thread, stack, kind, {}, state.at_peak});
    }
    if (state.left.bytes > 0) {
      format::MemorySurvivors& left = survivors[process];
      left.time_ns = end_ns;
      left.parts.push_back({thread, stack, kind, {}, state.left});
    }
  }
  for (auto& [process, peak] : peaks) {
    peak.process = process;
    builder_.OnMemoryPeak(std::move(peak));
  }
  for (auto& [process, left] : survivors) {
    left.process = process;
    builder_.OnMemorySurvivors(std::move(left));
  }
}

void ProfileMaker::WriteFacts(std::string_view format) {
  const auto tell = [this](metric::Counter counter, const std::string& text) {
    const metric::CounterKey key = metric::KeyOf(counter, text);
    builder_.OnCounter({ProcessId(0), key.kind, metric::StoredName(key), 1});
  };
  std::string origin(format);
  if (!tool_.empty()) origin += " (" + tool_ + ")";
  tell(metric::Counter::kImportedFrom, origin);
  if (without_times_)
    AddNote("the file does not say when: samples follow each other as they do in it");
  for (const std::string& note : notes_) tell(metric::Counter::kNote, note);
  for (const auto& [name, count] : losses_)
    builder_.OnCounter({ProcessId(0), format::CounterKind::kLoss, name, count});
}

profile::Profile ProfileMaker::Take(std::string_view format) {
  if (threads_.empty()) OnlyThread();
  builder_.OnRun({.command = command_, .start_unix_ns = start_unix_ns_});
  WriteMemory();
  WriteFacts(format);
  uint64_t end_ns = duration_ns_;
  for (const ProcessState& process : processes_) end_ns = std::max(end_ns, process.end_ns);
  builder_.OnRunEnd({end_ns});
  profile::Profile profile = builder_.Take();
  for (size_t i = 0; i < processes_.size(); ++i) {
    format::ProcessInfo& info = profile.processes[i].info;
    info.sample_period_ns = period_ns_;
    if (!processes_[i].name.empty()) info.argv = {processes_[i].name};
  }
  for (size_t i = 0; i < threads_.size(); ++i) profile.threads[i].info.name = threads_[i].name;
  profile.load.orderly_end = true;
  return profile;
}

}  // namespace pyrometer::import_
