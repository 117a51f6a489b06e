// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "unwind/row_compiler.h"
#include "unwind/unwind_row.h"

namespace pyrometer::unwind {

// Rows by the block of code that the pc lies in, two for each block; a third
// one pushes out the older. A row serves every pc of its range that lies in
// the block, so that a leaf, which rarely stops twice at the same instruction,
// is found as well as a return address. All zero is the empty cache: it may
// live in zeroed memory without any constructor call. 64 KiB; one per thread.
//
// Thread-safety: none; owned by one thread.
// Signal-safety: safe, unless a handler that uses it interrupts another use.
class RowCache {
 public:
  static constexpr size_t kBlocks = 1024;

  // Null when no row for `pc` is cached. The pointer is valid until the next Put.
  const UnwindRow* Find(uint64_t pc) const {
    for (const Entry& entry : blocks_[IndexOf(pc)].entries)
      if (pc - entry.begin < entry.size) return &entry.row;
    return nullptr;
  }

  void Put(uint64_t pc, const RangedRow& ranged) {
    constexpr uint64_t kMaxSize = 0xffffffff;
    const uint64_t size = ranged.end - ranged.begin;
    if (pc - ranged.begin >= size) return;  // malformed tables
    Block& block = blocks_[IndexOf(pc)];
    block.entries[1] = block.entries[0];
    block.entries[0] = size <= kMaxSize
                           ? Entry{ranged.begin, static_cast<uint32_t>(size), ranged.row}
                           : Entry{pc, 1, ranged.row};
  }

  // Forgets everything when `generation` differs from that of the last call.
  // Whoever sees modules being unloaded counts them, so that a pc of a new
  // module at an old address does not get the old module's row.
  void UseGeneration(uint32_t generation) {
    if (generation == generation_) return;
    for (Block& block : blocks_)
      for (Entry& entry : block.entries) entry.size = 0;
    generation_ = generation;
  }

 private:
  static constexpr int kBlockBits = 7;  // of an address: blocks of 128 bytes

  struct Entry {
    uint64_t begin;
    uint32_t size;  // 0: empty
    UnwindRow row;
  };
  struct Block {
    Entry entries[2];
  };

  static size_t IndexOf(uint64_t pc) {
    constexpr int kIndexBits = 10;
    static_assert(kBlocks == size_t{1} << kIndexBits);
    return ((pc >> kBlockBits) * 0x9E3779B97F4A7C15u) >> (64 - kIndexBits);
  }

  Block blocks_[kBlocks];
  uint32_t generation_;
};
static_assert(std::is_trivial_v<RowCache>);

}  // namespace pyrometer::unwind
