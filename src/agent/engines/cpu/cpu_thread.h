// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "agent/core/clock.h"
#include "agent/core/engine.h"
#include "agent/core/own_system_time.h"
#include "agent/engines/cpu/tick_pace.h"

namespace pyrometer::agent {

// What the CPU timer engine keeps for one thread, in the thread's record.
struct CpuThread {
  TickPace pace;
  uint64_t tick_cpu_ns;  // thread CPU clock at the previous sample of the timer
  ModeTimes tick_times;  // what the kernel accounted for until the previous tick
  OwnSystemTime own_system;
  uint32_t torn_run;    // rejected stacks in a row
  int32_t timer;        // kernel timer id; < 0: none
  bool has_tick_times;  // only the thread itself can ask for them
  bool uses_perf;
  bool baseline;  // the next sample follows a pause
};
extern constinit ThreadPart<CpuThread> g_cpu_thread;

}  // namespace pyrometer::agent
