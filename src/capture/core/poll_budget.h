// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "capture/core/cpu_budget.h"

namespace pyrometer::capture {

// How much CPU time polls from outside may take, over all processes, and how often the collector
// wakes up for them. Without a bound, thousands of threads keep a core busy with being polled,
// and a program that shares its cores with that is another program. With one, polls become rarer;
// sums stay exact.
//
// Thread-safety: one owner.
class PollBudget {
 public:
  // A poll has found the program to have used `ns` of CPU time.
  void Earn(uint64_t ns) { program_ns_ += static_cast<int64_t>(ns); }

  // Polls of one tick begin: what they may spend is what has come in since the last ones, with
  // what was left over or overspent.
  void Begin() {
    const uint64_t now = base::NowNs(CLOCK_MONOTONIC);
    const auto elapsed = static_cast<int64_t>(now - begin_ns_);
    budget_.Begin(std::min(elapsed / 100 + program_ns_ / 80, elapsed / 50));
    program_ns_ = 0;
    begin_ns_ = now;
  }
  bool Spent() const { return budget_.Spent(); }
  // Debt is forgotten beyond what a few ticks make up for: nobody is left alone for long.
  void End() { budget_.End(); }

  // When the next tick is due. `silent`: no process has told of anything since the last one. To
  // wake up a process costs more than most polls; a program that stands still is polled less
  // often, and so is one for which the budget does not suffice.
  int NextTickMs(bool silent) {
    const bool quiet = silent && program_ns_ == 0;
    quiet_ticks_ = quiet ? std::min(quiet_ticks_ + 1, kMostTicks * kPatience) : 0;
    const int64_t left_ns = budget_.left_ns();
    const int owed = left_ns >= 0 ? 1 : left_ns > -kLittleDebtNs ? 2 : kMostTicks;
    return kTickMs * std::clamp(std::max(owed, quiet_ticks_ / kPatience), 1, kMostTicks);
  }

 private:
  static constexpr int kTickMs = 10;
  static constexpr int kMostTicks = 4;
  static constexpr int kPatience = 4;  // quiet ticks before they become rarer by one
  static constexpr int64_t kMostLeftNs = 1'000'000;
  static constexpr int64_t kLittleDebtNs = 100'000;
  static constexpr int64_t kMostDebtNs = 500'000;

  uint64_t begin_ns_ = base::NowNs(CLOCK_MONOTONIC);
  int64_t program_ns_ = 0;
  CpuBudget budget_{kMostLeftNs, kMostDebtNs};
  int quiet_ticks_ = 0;
};

}  // namespace pyrometer::capture
