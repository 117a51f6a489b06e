// SPDX-License-Identifier: Apache-2.0
#include "capture/process_capture.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "capture/classify.h"
#include "capture/ranks.h"
#include "os/perf_event.h"
#include "os/process_facts.h"

namespace pyrometer::capture {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

// In the long run.
uint64_t PeriodNs(const base::RecordOptions& options) {
  return kSecondNs / (options.rate_hz != 0 ? options.rate_hz : base::RecordOptions::kLaterRate);
}

// A little longer than asked for: in step with the kernel's tick, the tick would
// find the kernel busy with our own signal again and again.
uint64_t PerfPeriodNs(const base::RecordOptions& options) {
  return PeriodNs(options) + PeriodNs(options) / 61;
}

std::string InterpreterName(const cpython::Layout& layout) {
  const uint32_t v = layout.version_hex;
  return "CPython " + std::to_string(v >> 24) + "." + std::to_string(v >> 16 & 0xff) + "." +
         std::to_string(v >> 8 & 0xff) + (layout.free_threaded ? " free-threaded" : "");
}

}  // namespace

ProcessCapture::ProcessCapture(RingMapping ring, const base::RecordOptions& options,
                               uint64_t run_start_ns, StackTable& stacks,
                               format::CaptureWriter& writer)
    : ring_(std::move(ring)),
      pid_(static_cast<pid_t>(ring_.header().pid)),
      watch_(pid_),
      options_(options),
      run_start_ns_(run_start_ns),
      stacks_(stacks),
      writer_(writer),
      layout_(ring_.header().layout),
      interpreter_jit_(layout_, os::ReadEnvironment(pid_)),
      codes_(pid_, stacks, layout_),
      modules_(stacks),
      sample_stacks_(pid_, ring_.header().start_ns, codes_, modules_, interpreter_jit_, stacks) {
  const transport::RingHeader& header = ring_.header();
  format::ProcessInfo info;
  info.pid = header.pid;
  info.parent_pid = header.parent_pid;
  info.start_ns = SinceStart(header.start_ns);
  info.argv = os::ReadArguments(pid_);
  info.executable = os::ReadExecutable(pid_);
  if (options_.cpu) {
    info.clock = options_.clock == base::Clock::kPerf ? "perf" : "cpu-timer";
    info.sample_period_ns = PeriodNs(options_);
  }
  if (header.state != transport::ProcessState::kUnsupported) {
    info.interpreter = InterpreterName(layout_);
    names_ = std::make_unique<NameReader>(pid_, header.runtime, layout_);
  } else {
    unsupported_.assign(header.message, strnlen(header.message, sizeof header.message));
    if (unsupported_.empty()) unsupported_ = "this interpreter could not be profiled";
  }
  id_ = writer_.AddProcess(info);
  if (names_ != nullptr && options_.cpu) WatchWaits(header.runtime);
  if (names_ != nullptr && options_.memory) {
    memory_ =
        std::make_unique<MemoryCapture>(pid_, id_, info.start_ns, layout_, header.memory, writer_);
    writer_.AddCounter({id_, format::CounterKind::kFact, format::kPiecesFact, 1});
  }
  for (const auto& [name, rank] : FindRanks(os::ReadEnvironment(pid_)))
    writer_.AddCounter({id_, format::CounterKind::kFact, name, rank});
  if (const auto cpu = os::ReadOnlyCpu(pid_))
    writer_.AddCounter({id_, format::CounterKind::kFact, format::kOnlyCpuFact, *cpu});
}

void ProcessCapture::WatchWaits(uint64_t runtime) {
  waits_ = std::make_unique<WaitSampler>(pid_, runtime, layout_, codes_, stacks_, writer_);
  loops_ = std::make_unique<LoopWatch>(
      pid_, layout_, writer_, [this](uint64_t pthread) { return FindThread(pthread); },
      [this](const ThreadCapture& thread) { return waits_->StackOf(thread); });
  tasks_ =
      std::make_unique<TaskSampler>(pid_, id_, runtime, layout_, codes_, stacks_, *loops_, writer_);
}

const ThreadCapture* ProcessCapture::FindThread(uint64_t pthread) const {
  for (const auto& [tid, thread] : threads_)
    if (thread.pthread == pthread) return &thread;
  return nullptr;
}

bool ProcessCapture::Drain() {
  if (damaged_) return false;
  bool any = false;
  damaged_ = !ring_.reader().Drain([&](transport::RecordType type, std::span<const uint8_t> bytes) {
    any = true;
    OnRecord(type, bytes);
  });
  return any;
}

void ProcessCapture::Meet(uint64_t now_ns) {
  FollowSwitch(now_ns);
  if (waits_ != nullptr && !paused_) waits_->Meet(now_ns);
}

bool ProcessCapture::Look(uint64_t now_ns, LookBudget& budget) {
  bool moved = false;
  if (waits_ != nullptr && !paused_) {
    const bool tasks_first = std::exchange(tasks_first_, false);
    if (tasks_first) LookAtTasks(now_ns, budget);
    waits_->Look(now_ns, budget);
    if (!tasks_first) LookAtTasks(now_ns, budget);
    const uint64_t ran_ns = waits_->TakeRan();
    budget.Earn(ran_ns);
    moved = ran_ns != 0;
  }
  UpdateNames(now_ns);
  sample_stacks_.Look();
  if (memory_ != nullptr) memory_->Look(now_ns);
  return moved;
}

void ProcessCapture::LookAtTasks(uint64_t now_ns, const LookBudget& budget) {
  tasks_first_ = budget.Spent();
  if (tasks_first_) return;
  tasks_->Look(now_ns);
  loops_->Look(now_ns);
}

void ProcessCapture::UpdateNames(uint64_t now_ns) {
  if (names_ == nullptr || threads_.size() < 2 || now_ns < names_due_ns_) return;
  // A new thread gets its name when it has the GIL for the first time.
  constexpr uint64_t kRetryNs = 20'000'000;
  // Names may cost this part of the time.
  constexpr uint64_t kMostCost = 200;
  const uint64_t begin = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  uint64_t period = kSecondNs;
  const std::map<uint64_t, std::string> names = names_->Read(threads_.size(), now_ns);
  for (auto& [tid, thread] : threads_) {
    if (const auto it = names.find(thread.pthread); it != names.end())
      thread.name = it->second;
    else if (now_ns < thread.start_ns + kSecondNs)
      period = kRetryNs;
  }
  const uint64_t took = base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin;
  names_due_ns_ = now_ns + std::max(period, took * kMostCost);
  names_again_ns_ = now_ns + std::max(kRetryNs, took * kMostCost);
}

void ProcessCapture::Flush() {
  if (waits_ != nullptr) {
    waits_->Flush();
    tasks_->Flush();
  }
  WriteCounters();
}

void ProcessCapture::Checkpoint(uint64_t now_ns) {
  if (memory_ != nullptr) memory_->Checkpoint(now_ns);
  for (auto& [tid, thread] : threads_) WriteHeld(thread, 0);
  Flush();
}

void ProcessCapture::SetRecording(transport::RecordingState state) {
  std::atomic<transport::RecordingState>& now = ring_.header().recording;
  if (now != transport::RecordingState::kStopped) now = state;
}

void ProcessCapture::FollowSwitch(uint64_t now_ns) {
  const bool paused = ring_.header().recording != transport::RecordingState::kOn;
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    paused_since_ns_ = now_ns;
    if (waits_ != nullptr) {
      waits_->Flush();
      tasks_->Flush();
      loops_->Close();
    }
  } else {
    off_ns_ += now_ns - paused_since_ns_;
    resumed_ns_ = now_ns;
    if (waits_ != nullptr) {
      waits_->Resync(now_ns);
      tasks_->Resync();
    }
  }
}

void ProcessCapture::OnRecord(transport::RecordType type, std::span<const uint8_t> bytes) {
  using transport::RecordType;
  const auto with = [&]<class Record>(auto&& use) {
    Record record;
    if (bytes.size() < sizeof record) {
      ++bad_records_;
      return;
    }
    std::memcpy(&record, bytes.data(), sizeof record);
    use(record);
  };
  const auto with_frames = [&]<class Record>(auto&& use) {
    with.template operator()<Record>([&](const Record& record) {
      const auto rest = bytes.subspan(sizeof record);
      if (record.frames > rest.size() / sizeof(transport::StackFrame)) {
        ++bad_records_;
        return;
      }
      // Copied out: the ring is the other process's memory.
      std::vector<transport::StackFrame> frames(record.frames);
      if (!frames.empty())
        std::memcpy(frames.data(), rest.data(), frames.size() * sizeof(transport::StackFrame));
      use(record, std::span<const transport::StackFrame>(frames));
    });
  };
  switch (type) {
    case RecordType::kThreadStart:
      return with.operator()<transport::ThreadStart>([this](auto& r) { OnThreadStart(r); });
    case RecordType::kThreadEnd:
      return with.operator()<transport::ThreadEnd>([this](auto& r) { OnThreadEnd(r); });
    case RecordType::kCode:
      sample_stacks_.Forget();
      if (!codes_.Define(bytes)) ++bad_records_;
      return;
    case RecordType::kModule:
      sample_stacks_.Forget();
      if (!modules_.Define(bytes)) ++bad_records_;
      return;
    case RecordType::kRegion:
      return with.operator()<transport::RegionRecord>(
          [&](auto& r) { OnRegion(r, bytes.subspan(sizeof r)); });
    case RecordType::kProfiledCode:
      return with.operator()<transport::ProfiledCodeRecord>([this](auto& r) { OnProfiledCode(r); });
    case RecordType::kSample:
      return with_frames.operator()<transport::SampleRecord>(
          [this](auto& r, auto frames) { OnSample(r, frames); });
    case RecordType::kMemorySample:
      return with_frames.operator()<transport::MemorySample>(
          [this](auto& r, auto frames) { OnMemorySample(r, frames); });
    case RecordType::kMemoryAgain:
      return with.operator()<transport::MemoryAgain>([this](auto& r) { OnMemoryAgain(r); });
    case RecordType::kMemoryFree:
      return with.operator()<transport::MemoryFree>([this](auto& r) { OnMemoryFree(r); });
    case RecordType::kGreenlets:
      return with.operator()<transport::GreenletRecord>([this](auto& r) { OnGreenlets(r); });
    default:
      ++bad_records_;
  }
}

void ProcessCapture::OnThreadStart(const transport::ThreadStart& start) {
  if (const auto known = threads_.find(start.tid); known != threads_.end()) {
    // One that is older than the recording says what nobody else could say for it.
    if (known->second.pthread == 0 && known->second.start_ns == SinceStart(start.time_ns)) {
      known->second.pthread = start.pthread;
      return;
    }
    EndThread(start.tid, SinceStart(start.time_ns), {}, {});
  }
  ThreadCapture& thread = threads_[start.tid];
  thread.tid = start.tid;
  thread.pthread = start.pthread;
  thread.start_ns = SinceStart(start.time_ns);
  thread.start_cpu_ns = thread.cpu_ns = start.cpu_ns;
  thread.start_queued_ns = start.queued_ns;
  thread.id = writer_.AddThread({id_, start.tid, thread.start_ns,
                                 start.is_main != 0 ? "MainThread" : NameAtStart(start.tid)});
  names_due_ns_ = std::min(names_due_ns_, names_again_ns_);
  if (waits_ != nullptr) waits_->AddThread(&thread);
  if (options_.cpu && options_.clock == base::Clock::kPerf) OpenPerf(start.tid);
}

// To ask the kernel costs as much as all else that is done for a short thread; of very many, each
// tells it when it ends.
std::string ProcessCapture::NameAtStart(uint32_t tid) {
  constexpr uint64_t kMostAsked = 100;
  if (names_asked_ == kMostAsked) return "";
  ++names_asked_;
  return os::ReadThreadName(pid_, static_cast<pid_t>(tid));
}

void ProcessCapture::OnGreenlets(const transport::GreenletRecord& record) {
  if (const auto it = threads_.find(record.tid); it != threads_.end())
    it->second.greenlets = record.greenlets;
  else
    ++bad_records_;
}

void ProcessCapture::OnRegion(const transport::RegionRecord& region,
                              std::span<const uint8_t> rest) {
  const auto it = threads_.find(region.tid);
  if (it == threads_.end() || region.name_bytes > rest.size() || region.end_ns < region.begin_ns) {
    ++bad_records_;
    return;
  }
  const std::string name(reinterpret_cast<const char*>(rest.data()), region.name_bytes);
  writer_.AddRegion({it->second.id, writer_.Intern(name), SinceStart(region.begin_ns),
                     region.end_ns - region.begin_ns, region.cpu_ns});
}

void ProcessCapture::OnProfiledCode(const transport::ProfiledCodeRecord& profiled) {
  if (const std::optional<format::CodeId> code = codes_.CodeAt(profiled.slot))
    stacks_.MarkProfiled(*code, profiled.is_inner != 0);
  else
    ++bad_records_;
}

void ProcessCapture::OnThreadEnd(const transport::ThreadEnd& end) {
  EndThread(end.tid, SinceStart(end.time_ns), end.cpu_ns,
            std::string(end.name, strnlen(end.name, sizeof end.name)));
}

void ProcessCapture::EndThread(uint32_t tid, uint64_t end_ns, std::optional<uint64_t> cpu_ns,
                               std::string name) {
  const auto it = threads_.find(tid);
  if (it == threads_.end()) return;
  // A thread that went down with its process did not report its own clock; what
  // the scheduler and the last sample say is a tick short at most.
  ThreadCapture& thread = it->second;
  const uint64_t looked = waits_ != nullptr ? waits_->EndThread(&thread, end_ns, cpu_ns) : 0;
  const uint64_t clock = cpu_ns.value_or(std::max(looked, thread.cpu_ns));
  if (!thread.name.empty()) name = thread.name;
  WriteLast(thread, clock);
  writer_.EndThread(
      {thread.id, end_ns, clock - std::min(clock, thread.start_cpu_ns), std::move(name)});
  perf_.erase(tid);
  threads_.erase(it);
}

void ProcessCapture::OpenPerf(uint32_t tid) {
  auto event = os::OpenPerfEvent(static_cast<pid_t>(tid), PerfPeriodNs(options_),
                                 static_cast<int>(ring_.header().signal_number));
  if (!event.ok()) {
    ++perf_refused_;
    return;
  }
  // Events go away by exec, but this one may have been opened after it, on a
  // program that does not know our signal. The agent says so before it execs.
  if (ring_.header().state == transport::ProcessState::kReplaced) return;
  os::EnablePerfEvent(event.value());
  perf_[tid] = std::move(event).value();
}

void ProcessCapture::OnSample(const transport::SampleRecord& sample,
                              std::span<const transport::StackFrame> frames) {
  ThreadCapture* found = UpdateStack(sample, frames, SampleStacks::Innermost::kInstruction);
  if (found == nullptr || !options_.cpu) return;
  ThreadCapture& thread = *found;
  const uint64_t weight = Weight(thread, sample);
  const format::Activity activity = ClassifyOnCpu(thread.frames, sample.flags, sample.opcode,
                                                  layout_, modules_, interpreter_jit_);
  const auto oldest = thread.held.Add(
      {SinceStart(sample.time_ns), thread.id, thread.leaf(), activity, weight, 1, TaskOf(sample)});
  if (oldest) writer_.AddSample(*oldest);
  if (waits_ == nullptr) return;
  waits_->OnSample(&thread, SinceStart(sample.time_ns));
  loops_->OnSample(thread.id, thread.leaf());
}

void ProcessCapture::OnMemorySample(const transport::MemorySample& sample,
                                    std::span<const transport::StackFrame> frames) {
  ThreadCapture* thread = UpdateStack(sample, frames, SampleStacks::Innermost::kCall);
  if (thread == nullptr || memory_ == nullptr) return;
  if (sample.seen > transport::kMaxSeenStacks) {
    ++bad_records_;
    return;
  }
  if (sample.seen != 0) thread->seen[sample.seen - 1] = thread->leaf();
  OnRequest(sample, *thread, thread->leaf());
}

void ProcessCapture::OnMemoryAgain(const transport::MemoryAgain& again) {
  const auto it = threads_.find(again.tid);
  if (it == threads_.end() || again.seen == 0 || again.seen > transport::kMaxSeenStacks) {
    ++bad_records_;
    return;
  }
  if (memory_ != nullptr) OnRequest(again, it->second, it->second.seen[again.seen - 1]);
}

template <class Record>
void ProcessCapture::OnRequest(const Record& record, const ThreadCapture& thread,
                               format::StackId stack) {
  const bool is_reserve = record.kind == transport::MemoryKind::kReserved;
  MemoryRequest request;
  request.kind =
      is_reserve ? format::MemoryKind::kMapped : static_cast<format::MemoryKind>(record.kind);
  request.thread = thread.id;
  request.stack = stack;
  request.address = record.address;
  request.bytes = record.bytes;
  request.weight = record.weight;
  request.marks = record.marks;
  request.time_ns = SinceStart(record.time_ns);
  request.is_reserve = is_reserve;
  if (!memory_->OnRequest(request)) ++bad_records_;
}

void ProcessCapture::OnMemoryFree(const transport::MemoryFree& free) {
  if (memory_ != nullptr && !memory_->OnFree(free, SinceStart(free.time_ns))) ++bad_records_;
}

std::optional<format::TaskId> ProcessCapture::TaskOf(const transport::SampleRecord& sample) {
  if (tasks_ == nullptr || sample.coroutine == 0) return std::nullopt;
  const auto code = codes_.CodeAt(sample.coroutine_code);
  if (!code) return std::nullopt;
  return tasks_->TaskOf(sample.coroutine, *code, SinceStart(sample.time_ns));
}

template <class Sample>
ThreadCapture* ProcessCapture::UpdateStack(const Sample& sample,
                                           std::span<const transport::StackFrame> frames,
                                           SampleStacks::Innermost innermost) {
  const auto it = threads_.find(sample.tid);
  if (it == threads_.end() ||
      ((sample.flags & transport::kFullStack) == 0 && sample.shared > it->second.frames.size())) {
    ++bad_records_;
    return nullptr;
  }
  sample_stacks_.Update(it->second, sample.shared, frames, innermost, sample.flags);
  return &it->second;
}

// A sample stands for the thread's CPU time since its last one, so nothing is
// lost when signals come late or merge. The first one stands for a period at least:
// what a thread does first is met as seldom as anything that is as short.
uint64_t ProcessCapture::Weight(ThreadCapture& thread, const transport::SampleRecord& sample) {
  const uint64_t since = sample.cpu_ns > thread.cpu_ns ? sample.cpu_ns - thread.cpu_ns : 0;
  const uint64_t period = ring_.header().first_sample_ns;
  const bool first = thread.samples++ == 0;
  thread.cpu_ns = sample.cpu_ns;
  if ((sample.flags & transport::kFromPerf) != 0) return PerfPeriodNs(options_);
  if ((sample.flags & transport::kBaseline) != 0) return std::min(since, period);
  if (options_.clock == base::Clock::kPerf) return first ? period : sample.interval_ns;
  if (!first || since >= period) return since;
  thread.surplus_ns = period - since;
  return period;
}

void ProcessCapture::WriteHeld(ThreadCapture& thread, uint64_t unsampled_ns) {
  thread.held.Spread(static_cast<int64_t>(unsampled_ns) - static_cast<int64_t>(thread.surplus_ns));
  thread.surplus_ns = 0;
  for (const format::Sample& sample : thread.held.TakeAll()) writer_.AddSample(sample);
}

void ProcessCapture::WriteLast(ThreadCapture& thread, uint64_t cpu_ns) {
  if (!options_.cpu || options_.clock == base::Clock::kPerf) return WriteHeld(thread, 0);
  const bool was_off = ring_.header().recording != transport::RecordingState::kOn ||
                       (!thread.held.empty() && thread.held.newest().time_ns < resumed_ns_);
  if (was_off) return WriteHeld(thread, 0);
  const uint64_t used = cpu_ns - std::min(cpu_ns, thread.start_cpu_ns);
  const uint64_t period = ring_.header().first_sample_ns;
  if (thread.samples == 0) {
    if (used < 2 * period) short_cpu_.AddUnsampled(used);
  } else if (thread.samples == 1 && thread.held.size() == 1 && used < period) {
    thread.held.Weigh(short_cpu_.Weigh(used, period));
    thread.surplus_ns = 0;
    WriteHeld(thread, 0);
  } else {
    WriteHeld(thread, cpu_ns - std::min(cpu_ns, thread.cpu_ns));
  }
}

void ProcessCapture::WriteCounters() {
  const transport::AgentCounters& c = ring_.header().counters;
  using format::CounterKind;
  const auto write = [this](CounterKind kind, const char* name, uint64_t value) {
    if (value != 0) writer_.AddCounter({id_, kind, name, value});
  };
  write(CounterKind::kLoss, "records dropped, ring full", c.ring_full);
  write(CounterKind::kLoss, "samples skipped, Python stack in motion", c.torn_stacks);
  write(CounterKind::kLoss, "stacks cut, too deep", c.truncated_stacks);
  write(CounterKind::kLoss, "stacks without native frames, not mergeable", c.unmerged_stacks);
  write(CounterKind::kLoss, "native stacks cut short", c.native_cut + sample_stacks_.native_cut());
  write(CounterKind::kFact, "native stacks that end in JIT code", sample_stacks_.ends_in_jit());
  write(CounterKind::kLoss, "stacks that end at a greenlet, parent not known", c.greenlet_cut);
  write(CounterKind::kLoss, "names lost, code table full", c.code_table_full);
  write(CounterKind::kLoss, "threads not sampled", c.threads_refused);
  write(CounterKind::kLoss, "stacks lost, stack table full", stacks_.stacks_refused());
  write(CounterKind::kLoss, "damaged records", bad_records_ + (damaged_ ? 1 : 0));
  write(CounterKind::kLoss, "perf events refused", perf_refused_);
  if (waits_ != nullptr) {
    write(CounterKind::kLoss, "wait stacks in motion", waits_->torn_stacks());
    write(CounterKind::kLoss, "threads whose waits are not known, too many open files",
          waits_->unwatched());
    write(CounterKind::kLoss, "looks at waiting threads put off, too many of them",
          waits_->put_off());
    write(CounterKind::kLoss, "tasks in motion", tasks_->moving());
    write(CounterKind::kLoss, "waits without stacks, memory not readable", waits_->unreadable());
  }
  write(CounterKind::kLoss, "memory samples not followed, table full or thread unknown",
        c.blocks_refused);
  write(CounterKind::kLoss, "memory given back unnoticed, ring full", c.frees_lost);
  if (memory_ != nullptr) {
    write(CounterKind::kLoss, "memory samples not followed, too many places or blocks",
          memory_->refused());
    write(CounterKind::kFact, "memory requests and frees without their counterpart",
          memory_->unmatched());
    const transport::MemoryLevels& levels = ring_.header().memory;
    const std::string allocator(levels.allocator,
                                strnlen(levels.allocator, sizeof levels.allocator));
    if (!allocator.empty())
      write(CounterKind::kFact, (format::kAllocatorFact + allocator).c_str(), 1);
  }
  write(CounterKind::kFact, "signals of the program on our number", c.foreign_signals);
  write(CounterKind::kFact, "recording off ns", off_ns_);
  write(CounterKind::kCost, "signals", c.signals);
  write(CounterKind::kCost, "samples", c.samples);
  write(CounterKind::kCost, "handler ns", c.handler_ns);
  write(CounterKind::kCost, "memory samples", c.memory_samples);
  write(CounterKind::kCost, "memory ns", c.memory_ns);
}

format::ProcessEnd ProcessCapture::DescribeEnd(uint64_t now_ns) const {
  format::ProcessEnd end;
  end.end_ns = now_ns;
  const uint32_t note = ring_.header().exit_note;
  if (const std::optional<int> status = watch_.Status()) {
    if (WIFEXITED(*status)) end.exit_code = WEXITSTATUS(*status);
    if (WIFSIGNALED(*status)) end.exit_signal = WTERMSIG(*status);
  } else if ((note & transport::kExitNoted) != 0) {
    end.exit_code = static_cast<int32_t>(note & 0xff);
  }
  return end;
}

// What the kernel tells who waits for a process also counts the program that was there before an
// exec, and what was copied by a fork.
uint64_t ProcessCapture::PeakResidentBytes(uint64_t by_parent) const {
  if (const uint64_t told = ring_.header().memory.peak_resident_bytes; told != 0) return told;
  return std::max(by_parent, memory_ != nullptr ? memory_->peak_resident_bytes() : 0);
}

void ProcessCapture::End(uint64_t now_ns, const format::ProcessEnd* end) {
  Drain();
  if (paused_) off_ns_ += now_ns - std::exchange(paused_since_ns_, now_ns);
  if (tasks_ != nullptr) {
    tasks_->End(now_ns);
    loops_->Close();
  }
  if (memory_ != nullptr) memory_->End(now_ns);
  while (!threads_.empty()) EndThread(threads_.begin()->first, now_ns, {}, {});
  if (waits_ != nullptr) waits_->End();
  WriteCounters();
  if (end != nullptr) {
    format::ProcessEnd copy = *end;
    copy.process = id_;
    copy.peak_rss_bytes = PeakResidentBytes(copy.peak_rss_bytes);
    writer_.EndProcess(copy);
  }
}

}  // namespace pyrometer::capture
