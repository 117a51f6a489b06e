// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace pyrometer::capture {

// CPU time that may be spent on a kind of work, earned bit by bit. By the CPU clock of the thread:
// time in which others had the CPU is not its cost.
//
// Thread-safety: one owner.
class CpuBudget {
 public:
  // What is saved is bounded, and so is debt: neither a burst nor a pause takes long.
  CpuBudget(int64_t most_left_ns, int64_t most_debt_ns)
      : most_left_ns_(most_left_ns), most_debt_ns_(most_debt_ns) {}

  // Work begins, and `earned_ns` have come in since the last time.
  void Begin(int64_t earned_ns) {
    left_ns_ = std::min(left_ns_ + earned_ns, most_left_ns_);
    begin_cpu_ns_ = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  }
  // Between Begin and End.
  bool Spent() const { return SpentNs() >= left_ns_; }
  void End() { left_ns_ = std::max(left_ns_ - SpentNs(), -most_debt_ns_); }

  int64_t left_ns() const { return left_ns_; }

 private:
  int64_t SpentNs() const {
    return static_cast<int64_t>(base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns_);
  }

  int64_t most_left_ns_;
  int64_t most_debt_ns_;
  int64_t left_ns_ = 0;
  uint64_t begin_cpu_ns_ = 0;
};

}  // namespace pyrometer::capture
