// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "agent/core/own_system_time.h"

namespace pyrometer::agent {

// What samples of memory cost one thread, by experience. One alone says little: it may have met
// cold caches, or lost its CPU meanwhile.
//
// All zeros is a new one. Thread-safety: one thread. Signal-safety: safe.
class SampleCost {
 public:
  // A sample with a walk took `ns`. Returns what to believe of that.
  uint64_t AddWalk(uint64_t ns) {
    const uint64_t likely = Follow(&walk_ns_, ns, kFirstWalkNs);
    Follow(&usual_ns_, likely, kFirstWalkNs);
    return ns < OwnSystemTime::kShortNs ? ns : std::max(likely, OwnSystemTime::kShortNs);
  }

  // One without: to look at the clock takes a third of it, so that only some are timed.
  bool TimesNext() { return ++untimed_ % kTimed == 0; }
  void AddTimed(uint64_t ns) { Follow(&short_ns_, ns, kFirstShortNs); }
  uint64_t AddShort() {
    Follow(&usual_ns_, short_ns(), kFirstWalkNs);
    return short_ns();
  }

  uint64_t short_ns() const { return short_ns_ != 0 ? short_ns_ : kFirstShortNs; }
  // Of all samples, on average.
  uint64_t usual_ns() const { return usual_ns_ != 0 ? usual_ns_ : kFirstWalkNs; }

 private:
  static constexpr uint64_t kFirstWalkNs = 5'000;
  static constexpr uint64_t kFirstShortNs = 250;
  static constexpr uint32_t kTimed = 16;

  // Moves the mean towards `ns`, which counts up to four times the mean. Returns what counted.
  static uint64_t Follow(uint64_t* mean_ns, uint64_t ns, uint64_t first_ns) {
    constexpr uint64_t kMemory = 8;  // samples that it looks back
    constexpr uint64_t kMuchMore = 4;
    if (*mean_ns == 0) *mean_ns = first_ns;
    const uint64_t likely = std::min(ns, kMuchMore * *mean_ns);
    *mean_ns = *mean_ns - *mean_ns / kMemory + likely / kMemory;
    return likely;
  }

  uint64_t usual_ns_;
  uint64_t walk_ns_;
  uint64_t short_ns_;
  uint32_t untimed_;
};

}  // namespace pyrometer::agent
