// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "base/clock.h"  // IWYU pragma: export
#include "base/record_options.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

using base::NowNs;

// The longest CPU time between two ticks of a thread that runs all the time, where it has ticks.
inline constexpr uint64_t kLongestBeatNs = 1'000'000'000 / base::RecordOptions::kFirstRate;

// The time between two ticks of the kernel, at which its CPU timers expire.
inline uint64_t TickNs() {
  timespec tick{};
  // The coarse clock moves at ticks.
  if (sigsafe::Syscall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, sigsafe::Arg(&tick)) != 0 ||
      tick.tv_sec != 0 || tick.tv_nsec <= 1)
    return 4'000'000;
  return static_cast<uint64_t>(tick.tv_nsec);
}

// CPU time of a thread as the kernel accounts for it: each tick counts for the
// mode in which it found the thread.
struct ModeTimes {
  int64_t user_us;
  int64_t system_us;
  int64_t page_faults;
};

// Those of the calling thread. Signal-safety: safe; a bare system call.
inline ModeTimes ThreadModeTimes() {
  const auto us = [](const timeval& t) { return int64_t{t.tv_sec} * 1000000 + t.tv_usec; };
  rusage usage{};
  sigsafe::Syscall(SYS_getrusage, RUSAGE_THREAD, sigsafe::Arg(&usage));
  return {us(usage.ru_utime), us(usage.ru_stime), usage.ru_minflt + usage.ru_majflt};
}

}  // namespace pyrometer::agent
