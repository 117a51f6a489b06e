// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace pyrometer::capture {

// How much CPU time looks from outside may take, over all processes, and how often the collector
// wakes up for them. Without a bound, thousands of threads keep a core busy with being looked at,
// and a program that shares its cores with that is another program. With one, looks become rarer;
// sums stay exact.
//
// Thread-safety: one owner.
class LookBudget {
 public:
  // The program has used `ns` of CPU time.
  void Earn(uint64_t ns) { program_ns_ += static_cast<int64_t>(ns); }

  // Looks of one tick begin: what they may spend is what has come in since the last ones, with
  // what was left over or overspent.
  void Begin() {
    const uint64_t now = base::NowNs(CLOCK_MONOTONIC);
    const auto elapsed = static_cast<int64_t>(now - begin_ns_);
    const int64_t more = std::min(elapsed / 100 + program_ns_ / 80, elapsed / 50);
    left_ns_ = std::min(left_ns_ + more, kMostLeftNs);
    program_ns_ = 0;
    begin_ns_ = now;
    begin_cpu_ns_ = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  }
  bool Spent() const { return SpentNs() >= left_ns_; }
  // Debt is forgotten beyond what a few ticks make up for: nobody is left alone for long.
  void End() { left_ns_ = std::max(left_ns_ - SpentNs(), -kMostDebtNs); }

  // When the next tick is due. `quiet`: nothing has happened since the last one. To wake up a
  // process costs more than most looks; a program that stands still is looked at less often, and
  // so is one for which the budget does not suffice.
  int NextTickMs(bool quiet) {
    quiet_ticks_ = quiet ? std::min(quiet_ticks_ + 1, kMostTicks * kPatience) : 0;
    const int owed = left_ns_ >= 0 ? 1 : left_ns_ > -kLittleDebtNs ? 2 : kMostTicks;
    return kTickMs * std::clamp(std::max(owed, quiet_ticks_ / kPatience), 1, kMostTicks);
  }

 private:
  static constexpr int kTickMs = 10;
  static constexpr int kMostTicks = 4;
  static constexpr int kPatience = 4;  // quiet ticks before they become rarer by one
  static constexpr int64_t kMostLeftNs = 1'000'000;
  static constexpr int64_t kLittleDebtNs = 100'000;
  static constexpr int64_t kMostDebtNs = 500'000;

  // By the CPU clock: time in which others had the CPU is not its cost.
  int64_t SpentNs() const {
    return static_cast<int64_t>(base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns_);
  }

  uint64_t begin_ns_ = base::NowNs(CLOCK_MONOTONIC);
  uint64_t begin_cpu_ns_ = 0;
  int64_t program_ns_ = 0;
  int64_t left_ns_ = 0;
  int quiet_ticks_ = 0;
};

}  // namespace pyrometer::capture
