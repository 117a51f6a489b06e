// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analyze/report/memory_stats.h"

namespace pyrometer::analyze {

// A span of the run's time.
struct Span {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t length() const { return end > begin ? end - begin : 0; }
};

inline constexpr size_t kTimelinePoints = 40;

// Adds up the memory of one row, change by change, in order of time.
// Thread-safety: none; one owner.
class MemoryAccount {
 public:
  // `stats` is what is filled in; it outlives the account.
  MemoryAccount(MemoryStats& stats, bool with_timeline)
      : stats_(&stats), with_timeline_(with_timeline) {}

  MemoryStats& stats() { return *stats_; }

  // A place of the row has had that much at once.
  void SawHigh(uint64_t bytes) { high_ = std::max(high_, bytes); }
  // The row's live bytes grow by `change`, modulo 2^64. Whether it is the first
  // move since it was settled.
  bool Move(uint64_t change) {
    live_ += change;
    return !std::exchange(moved_, true);
  }
  // The moves so far are all up to `time_ns`. Times do not fall.
  void Settle(uint64_t time_ns, const Span& span);
  // Sets what only the whole tells. REQUIRES: at_peak is there; called once, last.
  void Close(const Span& span);

 private:
  void Hold(uint64_t until_ns, const Span& span);

  MemoryStats* stats_;
  bool with_timeline_;
  bool moved_ = false;  // since it was settled
  uint64_t live_ = 0;
  uint64_t held_ = 0;      // live bytes since `since_ns_`
  uint64_t since_ns_ = 0;  // 0: since the beginning
  uint64_t high_ = 0;
  double byte_ns_ = 0;
};

}  // namespace pyrometer::analyze
