// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "unwind/unwind_row.h"

namespace pyrometer::unwind {

// Rows by pc, direct mapped: a pc has one place, a newer pc takes it over.
// All zero is the empty cache, so it may live in zeroed memory without any
// constructor call. 12 KiB; one per thread.
//
// Thread-safety: none; owned by one thread.
// Signal-safety: safe, unless a handler that uses it interrupts another use.
class RowCache {
 public:
  static constexpr size_t kEntries = 512;

  // Null when `pc` is not cached. The pointer is valid until the next Put.
  const UnwindRow* Find(uint64_t pc) const {
    const Entry& entry = entries_[IndexOf(pc)];
    return entry.pc == pc && pc != 0 ? &entry.row : nullptr;
  }
  void Put(uint64_t pc, const UnwindRow& row) { entries_[IndexOf(pc)] = {pc, row}; }

  // Forgets everything when `generation` differs from that of the last call.
  // Whoever sees modules being unloaded counts them, so that a pc of a new
  // module at an old address does not get the old module's row.
  void UseGeneration(uint32_t generation) {
    if (generation == generation_) return;
    for (Entry& entry : entries_) entry.pc = 0;
    generation_ = generation;
  }

 private:
  struct Entry {
    uint64_t pc;
    UnwindRow row;
  };
  static size_t IndexOf(uint64_t pc) {
    constexpr int kIndexBits = 9;
    static_assert(kEntries == size_t{1} << kIndexBits);
    return (pc * 0x9E3779B97F4A7C15u) >> (64 - kIndexBits);
  }

  Entry entries_[kEntries];
  uint32_t generation_;
};
static_assert(std::is_trivial_v<RowCache>);

}  // namespace pyrometer::unwind
