// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace pyrometer::capture {

// How much of a CPU looks at threads from outside may take, over all processes. Without a
// bound, thousands of threads keep a core busy with being looked at, and a program that
// shares its cores with that is another program.
//
// Thread-safety: one owner.
class LookBudget {
 public:
  // Of one CPU.
  static constexpr uint64_t kShare = 50;

  // A tick of the collector begins: what it may spend is what the time since the last one
  // allows, with what was left over or overspent.
  void Begin() {
    const uint64_t now = base::NowNs(CLOCK_MONOTONIC);
    const auto more = static_cast<int64_t>((now - begin_ns_) / kShare);
    left_ns_ = std::min(left_ns_ + more, kMostNs);
    begin_ns_ = now;
    begin_cpu_ns_ = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  }
  bool Spent() const { return SpentNs() >= left_ns_; }
  void End() { left_ns_ -= SpentNs(); }

 private:
  static constexpr int64_t kMostNs = 1'000'000;

  // By the CPU clock: time in which others had the CPU is not its cost.
  int64_t SpentNs() const {
    return static_cast<int64_t>(base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns_);
  }

  uint64_t begin_ns_ = 0;
  uint64_t begin_cpu_ns_ = 0;
  int64_t left_ns_ = 0;
};

}  // namespace pyrometer::capture
