// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pyrometer::agent {

// The addresses of blocks that were sampled and are not freed yet.
//
// Every free() of the program asks MayHold, so that is one load from a filter
// that is hardly ever written: no lock, no cache line that threads fight for.
// Neighbouring addresses are neighbours in the filter, so it costs the program
// little of its cache.
//
// Behind it a set-associative table: a key is in one of two buckets of eight, so
// removing leaves no traces and nothing ever moves. All that happens to one
// address is ordered by the program itself: a block is not freed before it was
// allocated, and not allocated again before it was freed.
//
// Thread-safety: safe, lock-free. Signal-safety: safe.
class SampledBlocks {
 public:
  static constexpr size_t kBuckets = size_t{1} << 14;
  static constexpr size_t kWays = 8;
  static constexpr size_t kSlots = kBuckets * kWays;

  bool MayHold(uint64_t address) const {
    return filter_[FilterSlot(address)].load(std::memory_order_relaxed) != 0;
  }

  // False: no room.
  bool Insert(uint64_t address) {
    Count(address, 1);
    for (const size_t bucket : {FirstBucket(address), SecondBucket(address)})
      for (std::atomic<uint64_t>& key : keys_[bucket]) {
        uint64_t empty = 0;
        if (key.load(std::memory_order_relaxed) == 0 &&
            key.compare_exchange_strong(empty, address, std::memory_order_relaxed)) {
          size_.fetch_add(1, std::memory_order_relaxed);
          return true;
        }
      }
    Count(address, -1);
    return false;
  }

  bool Holds(uint64_t address) const {
    for (const size_t bucket : {FirstBucket(address), SecondBucket(address)})
      for (const std::atomic<uint64_t>& key : keys_[bucket])
        if (key.load(std::memory_order_relaxed) == address) return true;
    return false;
  }

  // Whether it was in.
  bool Remove(uint64_t address) {
    for (const size_t bucket : {FirstBucket(address), SecondBucket(address)})
      for (std::atomic<uint64_t>& key : keys_[bucket])
        if (key.load(std::memory_order_relaxed) == address) {
          key.store(0, std::memory_order_relaxed);
          size_.fetch_sub(1, std::memory_order_relaxed);
          Count(address, -1);
          return true;
        }
    return false;
  }

  size_t size() const { return size_.load(std::memory_order_relaxed); }

  // REQUIRES: nobody uses it (a recording ends, or the child of a fork).
  void Clear() {
    if (size() == 0) return;
    for (auto& bucket : keys_)
      for (std::atomic<uint64_t>& key : bucket)
        if (key.load(std::memory_order_relaxed) != 0) key.store(0, std::memory_order_relaxed);
    for (std::atomic<uint8_t>& count : filter_)
      if (count.load(std::memory_order_relaxed) != 0) count.store(0, std::memory_order_relaxed);
    size_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kFilterSlots = size_t{1} << 16;
  static constexpr uint8_t kFull = 255;  // too many to count: stays

  // Large blocks begin near the start of a page: the high bits tell them apart.
  static size_t FilterSlot(uint64_t address) {
    return (address >> 6 ^ address >> 22) % kFilterSlots;
  }
  static size_t FirstBucket(uint64_t address) {
    return (address >> 4) * 0x9e3779b97f4a7c15 >> (64 - 14);
  }
  static size_t SecondBucket(uint64_t address) {
    return (address >> 4) * 0xd6e8feb86659fd93 >> (64 - 14);
  }
  static_assert(kBuckets == size_t{1} << 14);

  void Count(uint64_t address, int change) {
    std::atomic<uint8_t>& count = filter_[FilterSlot(address)];
    uint8_t value = count.load(std::memory_order_relaxed);
    while (value != kFull &&
           !count.compare_exchange_weak(value, static_cast<uint8_t>(value + change),
                                        std::memory_order_relaxed)) {
    }
  }

  alignas(64) std::atomic<uint8_t> filter_[kFilterSlots];
  alignas(64) std::atomic<uint64_t> keys_[kBuckets][kWays];
  alignas(64) std::atomic<size_t> size_;
};

}  // namespace pyrometer::agent
