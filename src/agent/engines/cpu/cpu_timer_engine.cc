// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/cpu/cpu_timer_engine.h"

#include <errno.h>
#include <signal.h>

#include "agent/core/agent.h"
#include "agent/core/thread_record.h"
#include "agent/engines/cpu/cpu_thread.h"
#include "agent/engines/cpu/sampler.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

constinit ThreadPart<CpuThread> g_cpu_thread;

namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

// A timer's number, or a negative error. `first_ns`: CPU time until it expires for the first time.
int32_t MakeTimer(const Subject& thread, const TickPace& pace, uint64_t first_ns) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = g_agent.signal_number;
  event.sigev_value.sival_int = static_cast<int>(kTimerMark);
  event._sigev_un._tid = static_cast<pid_t>(thread.tid);
  int32_t timer = -1;
  if (const long error = Syscall(SYS_timer_create, thread.clock, Arg(&event), Arg(&timer));
      error < 0)
    return static_cast<int32_t>(error);
  const itimerspec when{{0, static_cast<long>(pace.TimerNs())}, {0, static_cast<long>(first_ns)}};
  Syscall(SYS_timer_settime, timer, 0, Arg(&when), 0);
  return timer;
}

uint64_t Scrambled(uint64_t bits) { return bits * 0x9e3779b97f4a7c15 >> 32; }

void Describe(transport::RingHeader* header) {
  header->first_sample_ns = TickPace(g_agent.options, g_agent.tick_ns).FirstSampleNs();
}

bool StartThread(ThreadRecord* record, const Subject& thread) {
  CpuThread& cpu = g_cpu_thread.Of(record);
  cpu.tick_cpu_ns = record->start_cpu_ns;
  cpu.has_tick_times = thread.is_self;
  if (thread.is_self) cpu.tick_times = ThreadModeTimes();
  cpu.uses_perf = false;
  cpu.pace = TickPace(g_agent.options, g_agent.tick_ns);
  const uint64_t first_ns =
      cpu.pace.Begin(record->start_cpu_ns, Scrambled(record->start_ns ^ thread.tid));
  const bool wanted = g_agent.options.cpu;
  // Without a timer for one that cannot be signalled.
  cpu.timer = wanted && !thread.is_deaf ? MakeTimer(thread, cpu.pace, first_ns) : -1;
  record->has_ticks = cpu.timer >= 0;
  if (cpu.timer == -EINVAL) return false;
  if (wanted && cpu.timer < 0) ++g_agent.ring.header()->counters.threads_refused;
  return true;
}

void EndThread(ThreadRecord* record) {
  CpuThread& cpu = g_cpu_thread.Of(record);
  if (record->has_ticks) Syscall(SYS_timer_delete, cpu.timer);
  record->has_ticks = false;
  cpu.torn_run = 0;
  cpu.baseline = false;
}

// Signals of ours may still come when the recording has ended.
bool OnSignal(const siginfo_t* info, void* context) {
  if (!IsOurSignal(info)) return false;
  TakeSample(info, context);
  return true;
}

}  // namespace

constinit const Engine kCpuTimerEngine = {
    .name = "cpu timer",
    .thread_part = &g_cpu_thread,
    .prepare = nullptr,
    .describe = Describe,
    .start = nullptr,  // each thread has its timer from its start on
    .stop = nullptr,
    .pause = nullptr,  // ticks go on: the first one after a pause must be told from the others
    .resume = nullptr,
    .thread_start = StartThread,
    .thread_end = EndThread,
    .fork_child = nullptr,
    .on_signal = OnSignal,
};

}  // namespace pyrometer::agent
