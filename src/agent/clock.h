// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "base/clock.h"  // IWYU pragma: export
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

using base::NowNs;

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
