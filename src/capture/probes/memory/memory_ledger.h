// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "capture/probes/memory/live_block.h"
#include "capture/probes/memory/mapped_ranges.h"
#include "capture/probes/memory/memory_places.h"
#include "format/records.h"
#include "transport/records.h"

namespace pyrometer::capture {

// A request for memory, or a copy, as the agent has sampled it.
struct MemoryRequest {
  format::MemoryKind kind = format::MemoryKind::kPython;
  format::ThreadId thread{};
  format::StackId stack{};
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t weight = 0;  // what it stands for, and by how many marks (memory_estimate.h)
  uint32_t marks = 0;
  uint64_t time_ns = 0;
  // What the block has taken of its pages so far; of small ones all.
  uint64_t taken_bytes = ~uint64_t{0};
  bool is_reserve = false;         // asked for in case: does not count before it is taken
  bool is_worth_checking = false;  // how much it has taken is not known yet

  bool IsExact() const { return marks == 0; }
};

// Who has how much of the memory of one process, followed request by request. Does
// no I/O.
//
// A sample stands for many blocks, and one that is gone within a moment stands for
// blocks that mostly were not there at the same time. So that such flashes do not
// pass for a peak, a block counts as live when it has been there for kMomentNs;
// blocks that are known exactly do at once. What was allocated and freed counts in
// any case. Large blocks are live as far as their pages were written: what nobody has touched
// takes no memory. It counts as allocated when it is taken, or when the block is gone without.
//
// Bounded: what does not fit is counted, and is then neither allocated
// nor live.
//
// Thread-safety: one owner.
class MemoryLedger {
 public:
  static constexpr size_t kMaxLive = 1'000'000;
  static constexpr uint64_t kMomentNs = 1'000'000;
  // Larger requests are none.
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 50;
  static constexpr uint64_t kMaxWeight = uint64_t{1} << 40;

  // Returns the number of the request; 0 when it cannot be followed, or need not.
  // REQUIRES: bytes and weight within the limits
  uint64_t Allocate(const MemoryRequest& request);
  // kMapped: any range. Else the block at `address`, however large.
  void Free(format::MemoryKind kind, uint64_t address, uint64_t bytes, uint64_t time_ns);
  // Nothing happened until then.
  void Settle(uint64_t now_ns);

  // Whether a request is so large that its pages may be untouched.
  static bool IsLarge(const MemoryRequest& request) {
    return request.IsExact() && request.kind != format::MemoryKind::kCopied &&
           request.bytes >=
               transport::LeastWithPages(static_cast<transport::MemoryKind>(request.kind));
  }
  // Whether there are blocks whose pages are worth checking.
  bool HasPartlyTaken() const { return !partly_taken_.empty(); }
  // Brings those of them up to date that were growing before, or the others. `taken` tells how many
  // bytes of a block (address, bytes) take memory, if it can.
  enum class Growing : uint8_t { kYes, kNo };
  template <class Taken>
  void UpdateTaken(Growing which, Taken&& taken, uint64_t now_ns);
  // The pages of that range were released, though the blocks stay: they are worth checking.
  void Discard(uint64_t address, uint64_t bytes);
  // Nothing more will be taken: what was asked for in vain counts as allocated.
  void CountUntaken();
  uint64_t untaken_bytes() const { return untaken_bytes_; }

  // The block at `address` that request `number` was for, while it is live;
  // not of kMapped.
  LiveBlock* Find(uint64_t address, uint64_t number);
  // What is live, by place and type.
  std::vector<format::LiveMemory> Live() const;

  MemoryPlaces& places() { return places_; }
  // The part of kPython in requests that pymalloc serves from its arenas.
  uint64_t small_bytes() const { return small_bytes_; }

  // Samples, and rests of mappings, that found no room.
  uint64_t refused() const { return refused_; }
  // Blocks whose address was allocated again, or freed unknown: the record
  // between was lost, or a parent process knew of it.
  uint64_t unmatched() const { return unmatched_; }

 private:
  // A block that does not count as live yet.
  struct Fresh {
    uint64_t address;
    uint64_t number;
    uint64_t time_ns;
  };

  // A block by where it begins.
  struct Handle {
    bool is_range;
    uint64_t address;
    uint64_t number;
  };

  LiveBlock* Find(const Handle& handle);
  void Take(LiveBlock& block, uint64_t taken_bytes, uint64_t time_ns);
  void CountUntaken(const LiveBlock& block);
  void Forget(uint64_t address, const LiveBlock& block);
  void FreeRange(uint64_t address, uint64_t bytes);
  void Hold(LiveBlock& block, uint64_t time_ns);
  void Release(const LiveBlock& block);
  bool IsSmall(const LiveBlock& block) const;
  size_t live_count() const { return blocks_.size() + ranges_.size(); }

  MemoryPlaces places_;
  std::unordered_map<uint64_t, LiveBlock> blocks_;  // by address
  MappedRanges ranges_;
  std::deque<Fresh> fresh_;             // oldest first; some may be gone by now
  std::map<uint64_t, uint64_t> large_;  // numbers of large ones among blocks_, by address
  std::vector<Handle> partly_taken_;    // worth checking; some may be gone by now
  uint64_t untaken_bytes_ = 0;
  uint64_t last_number_ = 0;
  uint64_t small_bytes_ = 0;
  uint64_t refused_ = 0;
  uint64_t unmatched_ = 0;
};

template <class Taken>
void MemoryLedger::UpdateTaken(Growing which, Taken&& taken, uint64_t now_ns) {
  std::erase_if(partly_taken_, [&](const Handle& handle) {
    LiveBlock* block = Find(handle);
    if (block == nullptr) return true;
    if (block->growing != (which == Growing::kYes)) return false;
    const uint64_t before = block->amount.bytes;
    if (const auto bytes = taken(handle.address, block->bytes)) {
      Take(*block, *bytes, now_ns);
      block->growing = *bytes > before;
    }
    return block->untaken() == 0;
  });
}

}  // namespace pyrometer::capture
