// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "agent/core/clock.h"

namespace pyrometer::agent {

// The CPU time of a thread, between its ticks, mostly without asking the kernel for it. Who
// asks makes the scheduler settle its accounts and end a turn that is over by them. On a busy
// machine the turns of a thread that asks often end between two ticks of the kernel, never
// at one; the ticks then find other threads, and samples of this one become rare. So would
// those of a program that allocates, if each sample of memory asked.
//
// Owned by one thread's record. Signal-safety: async-signal-safe.
class ThreadTime {
 public:
  // Both clocks, at a tick or when the kernel was asked.
  void Set(uint64_t now_ns, uint64_t cpu_ns) {
    now_ns_ = now_ns;
    cpu_ns_ = cpu_ns;
  }
  // Whether the kernel is to be asked: the thread has waited, or gets no ticks.
  bool IsOld(uint64_t now_ns) const { return now_ns - now_ns_ > kOldNs; }
  // At `now_ns`. A thread that has had no tick for a while had no CPU either.
  uint64_t CpuNs(uint64_t now_ns) const {
    return cpu_ns_ + std::min(now_ns - now_ns_, kLongestBeatNs);
  }

 private:
  // Ten times a second is not often.
  static constexpr uint64_t kOldNs = 100'000'000;

  uint64_t now_ns_;
  uint64_t cpu_ns_;
};

}  // namespace pyrometer::agent
