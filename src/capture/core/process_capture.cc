// SPDX-License-Identifier: Apache-2.0
#include "capture/core/process_capture.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "capture/core/ranks.h"
#include "capture/core/sample_period.h"
#include "capture/stacks/classify.h"
#include "os/process_facts.h"

namespace pyrometer::capture {
namespace {

using transport::RecordType;

std::string InterpreterName(const cpython::Layout& layout) {
  const uint32_t v = layout.version_hex;
  return "CPython " + std::to_string(v >> 24) + "." + std::to_string(v >> 16 & 0xff) + "." +
         std::to_string(v >> 8 & 0xff) + (layout.free_threaded ? " free-threaded" : "");
}

}  // namespace

ProcessCapture::ProcessCapture(std::unique_ptr<Target> target, const ProbeMaker& make_probes,
                               const base::RecordOptions& options, RunClock clock,
                               StackTable& stacks, format::CaptureWriter& writer)
    : target_(std::move(target)),
      watch_(pid()),
      options_(options),
      clock_(clock),
      stacks_(stacks),
      writer_(writer),
      interpreter_jit_(target_->layout(), os::ReadEnvironment(pid())),
      codes_(pid(), stacks, target_->layout()),
      modules_(stacks),
      sample_stacks_(pid(), target_->facts().start_ns, codes_, modules_, interpreter_jit_, stacks),
      cpu_samples_(*target_, options_, writer),
      id_(AddProcess()),
      probes_(make_probes({*target_, id_, options_, clock_, codes_, stacks_, writer_})) {
  for (const auto& probe : probes_)
    for (const RecordType type : probe->Takes())
      takers_[static_cast<size_t>(type)].push_back(probe.get());
}

format::ProcessId ProcessCapture::AddProcess() {
  const Target::Facts& facts = target_->facts();
  format::ProcessInfo info;
  info.pid = static_cast<uint64_t>(facts.pid);
  info.parent_pid = facts.parent_pid;
  info.start_ns = start_ns();
  info.argv = os::ReadArguments(pid());
  info.executable = os::ReadExecutable(pid());
  if (options_.cpu) {
    info.clock = options_.clock == base::Clock::kPerf ? "perf" : "cpu-timer";
    info.sample_period_ns = SamplePeriodNs(options_);
  }
  if (target_->supported()) info.interpreter = InterpreterName(facts.layout);
  const format::ProcessId id = writer_.AddProcess(info);
  Counters counters(writer_, id);
  for (const auto& [variable, rank] : FindRanks(os::ReadEnvironment(pid())))
    counters.Tell(metric::Counter::kRank, rank, variable);
  if (const auto cpu = os::ReadOnlyCpu(pid())) counters.Tell(metric::Counter::kOnlyCpu, *cpu);
  return id;
}

bool ProcessCapture::Drain() {
  if (damaged_) return false;
  bool any = false;
  damaged_ = !target_->Drain([&](RecordType type, std::span<const uint8_t> bytes) {
    any = true;
    if (!OnRecord(type, bytes)) ++bad_records_;
  });
  return any;
}

void ProcessCapture::Meet(uint64_t now_ns) {
  FollowSwitch(now_ns);
  for (const auto& probe : probes_) probe->Meet(now_ns);
}

void ProcessCapture::Poll(uint64_t now_ns, PollBudget& budget) {
  const std::vector<Probe*> first = std::exchange(put_off_, {});
  const auto poll = [&](Probe* probe) {
    if (!probe->Poll(now_ns, budget)) put_off_.push_back(probe);
  };
  for (Probe* probe : first) poll(probe);
  for (const auto& probe : probes_)
    if (std::ranges::find(first, probe.get()) == first.end()) poll(probe.get());
  sample_stacks_.Poll();
}

void ProcessCapture::Flush() {
  for (const auto& probe : probes_) probe->Flush();
  WriteCounters();
}

void ProcessCapture::Checkpoint(uint64_t now_ns) {
  for (const auto& probe : probes_) probe->Checkpoint(now_ns);
  for (auto& [tid, thread] : target_->threads()) cpu_samples_.Flush(thread);
  Flush();
}

void ProcessCapture::FollowSwitch(uint64_t now_ns) {
  const bool paused = target_->recording() != transport::RecordingState::kOn;
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    paused_since_ns_ = now_ns;
    for (const auto& probe : probes_) probe->Pause(now_ns);
  } else {
    off_ns_ += now_ns - paused_since_ns_;
    cpu_samples_.Resume(now_ns);
    for (const auto& probe : probes_) probe->Resume(now_ns);
  }
}

bool ProcessCapture::OnRecord(RecordType type, std::span<const uint8_t> bytes) {
  Record record{type, bytes};
  switch (type) {
    case RecordType::kThreadStart:
      return OnThreadStart(record);
    case RecordType::kThreadEnd:
      return OnThreadEnd(record);
    case RecordType::kCode:
      sample_stacks_.Forget();
      return codes_.Define(bytes);
    case RecordType::kModule:
      sample_stacks_.Forget();
      return modules_.Define(bytes);
    case RecordType::kRegion:
      return OnRegion(record);
    case RecordType::kProfiledCode:
      return OnProfiledCode(record);
    case RecordType::kGreenlets:
      return OnGreenlets(record);
    case RecordType::kSample:
      return OnSample(record);
    case RecordType::kMemorySample: {
      // Also where nobody takes it: stacks of both kinds of samples share one chain.
      transport::MemorySample sample;
      record.thread = UpdateStack(record, SampleStacks::Innermost::kCall, &sample);
      return record.thread != nullptr && PassOn(record);
    }
    default:
      return PassOn(record);
  }
}

bool ProcessCapture::PassOn(const Record& record) {
  if (record.type <= RecordType::kPadding || record.type >= RecordType{transport::kRecordTypes})
    return false;
  bool good = true;
  for (Probe* probe : TakersOf(record.type)) good = probe->OnRecord(record) && good;
  return good;
}

bool ProcessCapture::OnThreadStart(const Record& record) {
  transport::ThreadStart start;
  if (!record.CopyTo(&start)) return false;
  const uint64_t start_ns = clock_.SinceStart(start.time_ns);
  if (ThreadCapture* known = target_->threads().Find(start.tid)) {
    // One that is older than the recording says what nobody else could say for it.
    if (known->pthread == 0 && known->start_ns == start_ns) {
      known->pthread = start.pthread;
      return true;
    }
    EndThread(start.tid, {.end_ns = start_ns});
  }
  ThreadCapture& thread = target_->threads().Add(start.tid);
  thread.pthread = start.pthread;
  thread.start_ns = start_ns;
  thread.start_cpu_ns = thread.cpu_ns = start.cpu_ns;
  thread.start_queued_ns = start.queued_ns;
  thread.id = writer_.AddThread(
      {id_, start.tid, start_ns, start.is_main != 0 ? "MainThread" : NameAtStart(start.tid)});
  for (const auto& probe : probes_) probe->ThreadStarted(thread);
  return true;
}

// To ask the kernel costs as much as all else that is done for a short thread; of very many, each
// tells it when it ends.
std::string ProcessCapture::NameAtStart(uint32_t tid) {
  constexpr uint64_t kMostAsked = 100;
  if (names_asked_ == kMostAsked) return "";
  ++names_asked_;
  return os::ReadThreadName(pid(), static_cast<pid_t>(tid));
}

bool ProcessCapture::OnThreadEnd(const Record& record) {
  transport::ThreadEnd end;
  if (!record.CopyTo(&end)) return false;
  EndThread(end.tid, {.end_ns = clock_.SinceStart(end.time_ns),
                      .cpu_ns = end.cpu_ns,
                      .name = std::string(end.name, strnlen(end.name, sizeof end.name))});
  return true;
}

void ProcessCapture::EndThread(uint32_t tid, ThreadExit exit) {
  ThreadCapture* const thread = target_->threads().Find(tid);
  if (thread == nullptr) return;
  for (const auto& probe : probes_) probe->ThreadEnded(*thread, exit);
  // A thread that went down with its process did not report its own clock; what
  // the scheduler and the last sample say is a tick short at most.
  const uint64_t clock = exit.cpu_ns.value_or(std::max(exit.seen_cpu_ns, thread->cpu_ns));
  cpu_samples_.End(*thread, clock);
  writer_.EndThread({thread->id, exit.end_ns, clock - std::min(clock, thread->start_cpu_ns),
                     std::move(exit.name)});
  target_->threads().Remove(tid);
}

bool ProcessCapture::OnGreenlets(const Record& record) {
  transport::GreenletRecord found;
  if (!record.CopyTo(&found)) return false;
  ThreadCapture* const thread = target_->threads().Find(found.tid);
  if (thread == nullptr) return false;
  thread->greenlets = found.greenlets;
  return true;
}

bool ProcessCapture::OnRegion(const Record& record) {
  transport::RegionRecord region;
  if (!record.CopyTo(&region)) return false;
  const std::span<const uint8_t> rest = record.bytes.subspan(sizeof region);
  const ThreadCapture* const thread = target_->threads().Find(region.tid);
  if (thread == nullptr || region.name_bytes > rest.size() || region.end_ns < region.begin_ns)
    return false;
  const std::string name(reinterpret_cast<const char*>(rest.data()), region.name_bytes);
  writer_.AddRegion({thread->id, writer_.Intern(name), clock_.SinceStart(region.begin_ns),
                     region.end_ns - region.begin_ns, region.cpu_ns});
  return true;
}

bool ProcessCapture::OnProfiledCode(const Record& record) {
  transport::ProfiledCodeRecord profiled;
  if (!record.CopyTo(&profiled)) return false;
  const std::optional<format::CodeId> code = codes_.CodeAt(profiled.slot);
  if (code) stacks_.MarkProfiled(*code, profiled.is_inner != 0);
  return code.has_value();
}

bool ProcessCapture::OnSample(const Record& record) {
  transport::SampleRecord tick;
  ThreadCapture* const thread = UpdateStack(record, SampleStacks::Innermost::kInstruction, &tick);
  if (thread == nullptr) return false;
  if (!options_.cpu) return true;
  const uint64_t weight = cpu_samples_.Weigh(*thread, tick);
  const format::Activity activity = ClassifyOnCpu(thread->stack.frames, tick.flags, tick.opcode,
                                                  target_->layout(), modules_, interpreter_jit_);
  format::Sample sample{
      clock_.SinceStart(tick.time_ns), thread->id, thread->leaf(), activity, weight, 1};
  for (Probe* probe : TakersOf(RecordType::kSample)) probe->OnSample(*thread, tick, sample);
  cpu_samples_.Add(*thread, sample);
  return true;
}

template <class Sample>
ThreadCapture* ProcessCapture::UpdateStack(const Record& record, SampleStacks::Innermost innermost,
                                           Sample* sample) {
  if (!record.CopyTo(sample)) return nullptr;
  const std::span<const uint8_t> rest = record.bytes.subspan(sizeof *sample);
  if (sample->frames > rest.size() / sizeof(transport::StackFrame)) return nullptr;
  ThreadCapture* const thread = target_->threads().Find(sample->tid);
  if (thread == nullptr || ((sample->flags & transport::kFullStack) == 0 &&
                            sample->shared > thread->stack.frames.size()))
    return nullptr;
  // Copied out: the ring is the other process's memory.
  std::vector<transport::StackFrame> frames(sample->frames);
  if (!frames.empty())
    std::memcpy(frames.data(), rest.data(), frames.size() * sizeof(transport::StackFrame));
  sample_stacks_.Update(thread->stack, sample->shared, frames, innermost, sample->flags);
  return thread;
}

void ProcessCapture::WriteCounters() {
  static const transport::AgentCounters kNoAgent{};
  const transport::AgentCounters& c =
      target_->agent() != nullptr ? target_->agent()->counters : kNoAgent;
  Counters counters(writer_, id_);
  counters.Count(metric::Counter::kRecordsDropped, c.ring_full);
  counters.Count(metric::Counter::kSamplesSkipped, c.torn_stacks);
  counters.Count(metric::Counter::kStacksCut, c.truncated_stacks);
  counters.Count(metric::Counter::kStacksUnmerged, c.unmerged_stacks);
  counters.Count(metric::Counter::kNativeStacksCut, c.native_cut + sample_stacks_.native_cut());
  counters.Count(metric::Counter::kJitStacks, sample_stacks_.ends_in_jit());
  counters.Count(metric::Counter::kGreenletStacksCut, c.greenlet_cut);
  counters.Count(metric::Counter::kNamesLost, c.code_table_full);
  counters.Count(metric::Counter::kThreadsNotSampled, c.threads_refused);
  counters.Count(metric::Counter::kStacksLost, stacks_.stacks_refused());
  counters.Count(metric::Counter::kDamagedRecords, bad_records_ + (damaged_ ? 1 : 0));
  counters.Count(metric::Counter::kForeignSignals, c.foreign_signals);
  counters.Count(metric::Counter::kRecordingOff, off_ns_);
  counters.Count(metric::Counter::kSignals, c.signals);
  counters.Count(metric::Counter::kSamples, c.samples);
  counters.Count(metric::Counter::kSampling, c.handler_ns);
  for (const auto& probe : probes_) probe->Report(counters);
}

format::ProcessEnd ProcessCapture::DescribeEnd(uint64_t now_ns) const {
  format::ProcessEnd end;
  end.end_ns = now_ns;
  const uint32_t note = target_->agent() != nullptr ? target_->agent()->exit_note.load() : 0;
  if (const std::optional<int> status = watch_.Status()) {
    if (WIFEXITED(*status)) end.exit_code = WEXITSTATUS(*status);
    if (WIFSIGNALED(*status)) end.exit_signal = WTERMSIG(*status);
  } else if ((note & transport::kExitNoted) != 0) {
    end.exit_code = static_cast<int32_t>(note & 0xff);
  }
  return end;
}

void ProcessCapture::End(uint64_t now_ns, const format::ProcessEnd* end) {
  Drain();
  if (paused_) off_ns_ += now_ns - std::exchange(paused_since_ns_, now_ns);
  while (!target_->threads().empty())
    EndThread(target_->threads().begin()->first, {.end_ns = now_ns});
  format::ProcessEnd known = end != nullptr ? *end : format::ProcessEnd{};
  for (const auto& probe : probes_) probe->End(now_ns, known);
  WriteCounters();
  if (end == nullptr) return;
  // What the kernel tells who waits for a process also counts the program that was there before an
  // exec, and what was copied by a fork.
  if (const transport::RingHeader* agent = target_->agent())
    if (const uint64_t told = agent->memory.peak_resident_bytes; told != 0)
      known.peak_rss_bytes = told;
  known.process = id_;
  writer_.EndProcess(known);
}

}  // namespace pyrometer::capture
