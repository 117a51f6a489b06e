// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyrometer::base {

// Numbers pairs of numbers in the order in which they first come, from 0 on. Open
// addressing, because a million look-ups in std::unordered_map take most of a second.
//
// Thread-safety: none; one owner.
class PairIndex {
 public:
  explicit PairIndex(size_t expected = 0) : slots_(std::bit_ceil(2 * expected + 16)) {}

  // The number of the pair; size() before the call if it is new.
  uint32_t Number(uint32_t first, uint32_t second) {
    if (used_ * 2 > slots_.size()) Grow();
    const uint64_t key = uint64_t{first} << 32 | second;
    Slot& slot = SlotOf(key);
    if (slot.number == 0) slot = {key, ++used_};
    return slot.number - 1;
  }
  uint32_t size() const { return used_; }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t number = 0;  // plus one; 0: free
  };

  Slot& SlotOf(uint64_t key) {
    // Multiplication spreads the low bits upwards, so the high ones are taken.
    const int bits = std::countr_zero(slots_.size());
    size_t at = (key * 0x9e3779b97f4a7c15) >> (64 - bits);
    while (slots_[at].number != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.number != 0) SlotOf(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  uint32_t used_ = 0;
};

}  // namespace pyrometer::base
