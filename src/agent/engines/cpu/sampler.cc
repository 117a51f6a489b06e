// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/cpu/sampler.h"

#include <ucontext.h>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/in_recording.h"
#include "agent/core/recording_state.h"
#include "agent/core/stack_sampler.h"
#include "agent/core/thread_record.h"
#include "agent/core/thread_registry.h"
#include "agent/engines/cpu/cpu_thread.h"

// By the linker: where this library begins, and where its code ends.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start, etext;

namespace pyrometer::agent {
namespace {

// A stack that is rejected this often in a row is no passing state: the
// sample is then kept with its native part alone.
constexpr uint32_t kMaxTornRun = 8;

// A CPU timer expires at the tick. A tick inside a system call is delivered at
// the return to user mode, that is right behind the `syscall` instruction.
bool IsBehindSystemCall(const sigsafe::LocalReader& reader, uint64_t pc) {
#if defined(__x86_64__)
  uint8_t before[2];
  return reader.Read(pc - 2, before, 2) && before[0] == 0x0f && before[1] == 0x05;
#else
  uint32_t before;
  return reader.Read(pc - 4, &before, 4) && (before & 0xffe0001f) == 0xd4000001;  // svc
#endif
}

// A tick that fell into a hook of ours, which blocks signals, comes when it has
// unblocked them: behind a system call, too, but one that nobody waited for.
bool IsOwnCode(uint64_t pc) {
  return pc - reinterpret_cast<uint64_t>(&__ehdr_start) <
         static_cast<uint64_t>(&etext - &__ehdr_start);
}

// The other way into the kernel is a page fault, which leaves no trace in the
// registers; but the kernel has just accounted for the tick.
bool TickWasInKernel(CpuThread& cpu, const StackSampler& stack, uint64_t interval_ns) {
  const ModeTimes now = ThreadModeTimes();
  // The first tick of a thread that another one has started has nothing to be compared with.
  const ModeTimes before = cpu.has_tick_times ? cpu.tick_times : now;
  cpu.tick_times = now;
  cpu.has_tick_times = true;
  const uint64_t pc = stack.registers().ip;
  if (IsOwnCode(pc)) return false;
  if (IsBehindSystemCall(stack.reader(), pc)) return true;
  // The interrupts of perf events are system time, too, but they are in the
  // user samples already: they hit user code.
  if (cpu.uses_perf && now.page_faults == before.page_faults) return false;
  return now.system_us - before.system_us > now.user_us - before.user_us &&
         !cpu.own_system.TakeTick(interval_ns);
}

// Whether to take a sample at the tick at `cpu_ns` of the thread's CPU clock.
bool IsDue(CpuThread& cpu, uint64_t cpu_ns) {
  const TickPace::Tick tick = cpu.pace.At(cpu_ns);
  if (tick == TickPace::Tick::kBeforeSample) {
    cpu.tick_times = ThreadModeTimes();
    cpu.has_tick_times = true;
  }
  return tick == TickPace::Tick::kSample;
}

// The sample of one signal.
void Take(ThreadRecord* record, const ucontext_t& context, bool from_perf, uint64_t now_ns,
          uint64_t cpu_ns) {
  CpuThread& cpu = g_cpu_thread.Of(record);
  if (!from_perf && !IsDue(cpu, cpu_ns)) return;
  transport::AgentCounters& counters = g_agent.ring.header()->counters;
  StackSampler stack(record, unwind::FromUcontext(context));
  transport::SampleRecord sample{};
  sample.time_ns = now_ns;
  sample.cpu_ns = cpu_ns;
  if (from_perf) {
    sample.flags |= transport::kFromPerf;
    cpu.uses_perf = true;
  } else {
    const uint64_t interval = sample.cpu_ns - cpu.tick_cpu_ns;
    sample.interval_ns = interval < 0xffffffffu ? static_cast<uint32_t>(interval) : 0xffffffffu;
    cpu.tick_cpu_ns = sample.cpu_ns;
    const bool in_kernel = TickWasInKernel(cpu, stack, interval);
    if (in_kernel) sample.flags |= transport::kInKernel;
    // Where a perf event samples user code, the ticks stand for the kernel.
    if (cpu.uses_perf && !in_kernel) return;
  }
  const StackSampler::Outcome outcome = stack.Walk();
  cpu.torn_run = outcome == StackSampler::Outcome::kWhole ? 0 : cpu.torn_run + 1;
  // The time until the next sample then counts for that one. A switch of
  // stacks leaves no Python stack to be read either, but its time is its own.
  if (outcome == StackSampler::Outcome::kTorn && cpu.torn_run < kMaxTornRun) {
    ++counters.torn_stacks;
    return;
  }
  stack.Merge(&sample.flags);
  if (cpu.baseline) sample.flags |= transport::kBaseline;
  const StackSampler::Coroutine coroutine = stack.FindCoroutine();
  sample.coroutine_code = coroutine.code;
  sample.coroutine = coroutine.address;
  sample.opcode = stack.opcode();
  if (!stack.Write(sample, transport::RecordType::kSample)) return;
  ++counters.samples;
  cpu.baseline = false;
}

}  // namespace

bool IsOurSignal(const siginfo_t* info) {
  if (info->si_code == SI_TIMER)
    return static_cast<unsigned>(info->si_value.sival_int) == kTimerMark;
  // Only a descriptor with F_SETSIG raises such a signal with these codes: the
  // perf events that the collector has opened for our threads.
  if (info->si_code == POLL_IN || info->si_code == POLL_HUP) return true;
  // What the kernel could not spare the memory for: a classic signal still
  // comes, without a sender. No process has the number 0.
  return g_agent.signal_number == SIGSTKFLT && info->si_code == SI_USER && info->si_pid == 0;
}

void TakeSample(const siginfo_t* info, void* context) {
  const InRecording inside;
  ThreadRecord* record = inside ? SampledThread() : nullptr;
  if (record == nullptr) return;
  CpuThread& cpu = g_cpu_thread.Of(record);
  transport::RingHeader* header = g_agent.ring.header();
  ++header->counters.signals;
  if (!RecordingIsOn()) {
    cpu.baseline = true;
    return;
  }
  const uint64_t begin = NowNs(CLOCK_MONOTONIC);
  const uint64_t cpu_begin = NowNs(CLOCK_THREAD_CPUTIME_ID);
  record->time.Set(begin, cpu_begin);
  Take(record, *static_cast<ucontext_t*>(context), info->si_code != SI_TIMER, begin, cpu_begin);
  uint64_t took_ns = NowNs(CLOCK_MONOTONIC) - begin;
  if (took_ns > OwnSystemTime::kShortNs) {
    // Perhaps it has lost its CPU meanwhile.
    took_ns = NowNs(CLOCK_THREAD_CPUTIME_ID) - cpu_begin;
    cpu.own_system.AddHandler(took_ns);
  }
  header->counters.handler_ns += took_ns;
}

}  // namespace pyrometer::agent
