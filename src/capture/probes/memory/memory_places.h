// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "capture/probes/memory/memory_place.h"
#include "format/records.h"

namespace pyrometer::capture {

// Adds up what a process allocates and frees, place by place, and remembers how it
// was when most was in use. Exact over the sequence of calls, each of which takes
// constant time: a new peak only gets a number. A place that changes afterwards
// notes first what it had at that peak; the others still have it.
//
// Thread-safety: one owner.
class MemoryPlaces {
 public:
  static constexpr size_t kMaxPlaces = 262'144;

  // Valid as long as something is live or fresh there, or was allocated since the
  // last TakeChanges(). nullptr: there are too many places.
  MemoryPlace* Find(format::ThreadId thread, format::StackId stack, format::MemoryKind kind);
  // What was asked for and freed there, without becoming live.
  void CountAllocated(MemoryPlace& place, const format::MemoryAmount& amount);
  // The latest of what was counted was not: false where it was reported already.
  bool TakeBack(MemoryPlace& place, uint64_t bytes);
  void CountFreed(MemoryPlace& place, const format::MemoryAmount& amount);
  // What is live there. REQUIRES: what is dropped was held.
  void Hold(MemoryPlace& place, const format::MemoryAmount& amount, uint64_t time_ns);
  void Drop(MemoryPlace& place, const format::MemoryAmount& amount);

  // The places that have changed since the last call, in order, as rows that end at `time_ns`.
  std::vector<format::MemoryChange> TakeChanges(uint64_t time_ns);

  uint64_t live_bytes(format::MemoryKind kind) const {
    return live_bytes_[static_cast<size_t>(kind)];
  }
  uint64_t peak_bytes() const { return peak_bytes_; }
  uint64_t peak_ns() const { return peak_ns_; }
  // Rises with each new peak.
  uint64_t peak_number() const { return peak_number_; }
  std::vector<format::LiveMemory> LiveAtPeak() const;

 private:
  using Key = std::tuple<format::ThreadId, format::StackId, format::MemoryKind>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      const uint64_t ids = uint64_t{std::get<0>(key).value} << 32 | std::get<1>(key).value;
      return (ids * 4 + static_cast<uint64_t>(std::get<2>(key))) * 0x9e3779b97f4a7c15u >> 7;
    }
  };

  void Change(MemoryPlace& place);
  const format::MemoryAmount& AtPeak(const MemoryPlace& place) const {
    return place.peak_number == peak_number_ ? place.at_peak : place.live;
  }
  // Forgets places that have nothing, once they have become many.
  void Sweep();

  std::unordered_map<Key, MemoryPlace, KeyHash> places_;
  std::vector<MemoryPlace*> changed_;
  size_t sweep_at_ = kMaxPlaces / 4;
  std::array<uint64_t, format::kMemoryKindCount> live_bytes_{};
  uint64_t all_live_bytes_ = 0;
  uint64_t peak_bytes_ = 0;
  uint64_t peak_ns_ = 0;
  uint64_t peak_number_ = 0;
};

}  // namespace pyrometer::capture
