// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// Calls `visit(member)` for every member of the set at `set`, until it returns
// false. Returns false when the set is unreadable or contradicts itself.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R, class V>
bool VisitSet(const ObjectLayout& objects, const R& reader, uint64_t set, const V& visit) {
  constexpr uint64_t kMaxSlots = 1 << 24;
  constexpr uint64_t kBatch = 64;
  struct Slot {
    uint64_t key;
    int64_t hash;
  };
  uint64_t mask = 0;
  uint64_t table = 0;
  if (set == 0 || set % 8 != 0 || !ReadValue(reader, set + objects.set_mask, &mask) ||
      !ReadValue(reader, set + objects.set_table, &table) || mask >= kMaxSlots ||
      (mask & (mask + 1)) != 0 || table == 0 || table % 8 != 0) {
    return false;
  }
  Slot slots[kBatch];
  for (uint64_t start = 0; start <= mask; start += kBatch) {
    const uint64_t n = std::min(kBatch, mask + 1 - start);
    if (!reader.Read(table + start * sizeof(Slot), slots, n * sizeof(Slot))) return false;
    for (uint64_t i = 0; i < n; ++i) {
      // A deleted member leaves a placeholder whose hash no object has.
      if (slots[i].key != 0 && slots[i].hash != -1 && !visit(slots[i].key)) return true;
    }
  }
  return true;
}

}  // namespace pyrometer::cpython
