// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <cstdint>

namespace pyrometer::base {

// Nanoseconds of `clock`. Signal-safety: safe (POSIX lists clock_gettime).
inline uint64_t NowNs(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

}  // namespace pyrometer::base
