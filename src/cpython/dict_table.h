// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// The entries of a dictionary, in insertion order. Deleted ones have a zero
// value. Split tables keep the values apart from the keys.
struct DictTable {
  uint64_t entries = 0;
  uint64_t values = 0;  // 0: within the entries
  uint32_t count = 0;
  uint32_t entry_size = 0;
};

// More entries than this are taken for garbage.
inline constexpr uint64_t kMaxDictEntries = 1 << 24;

// The table of the keys object at `keys`. Returns false when it is unreadable
// or contradicts itself. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadKeys(const ObjectLayout& objects, const R& reader, uint64_t keys, DictTable* out) {
  constexpr uint32_t kEntryWithHash = 24;
  constexpr uint32_t kEntry = 16;
  constexpr uint8_t kMaxLog2 = 32;
  if (keys == 0 || keys % 8 != 0) return false;
  uint64_t slots = 0;
  uint64_t index_bytes = 0;
  out->entry_size = kEntryWithHash;
  if (objects.keys_size != kAbsent) {
    if (!ReadValue(reader, keys + objects.keys_size, &slots)) return false;
    if (slots > uint64_t{1} << kMaxLog2) return false;
    index_bytes = slots * (slots <= 0xff ? 1 : slots <= 0xffff ? 2 : slots <= 0xffffffff ? 4 : 8);
  } else {
    uint8_t log2_size = 0;
    uint8_t log2_index_bytes = 0;
    uint8_t kind = 0;
    if (!ReadValue(reader, keys + objects.keys_log2_size, &log2_size) ||
        !ReadValue(reader, keys + objects.keys_log2_index_bytes, &log2_index_bytes) ||
        !ReadValue(reader, keys + objects.keys_kind, &kind) || log2_size > kMaxLog2 ||
        log2_index_bytes > kMaxLog2 + 3) {
      return false;
    }
    slots = uint64_t{1} << log2_size;
    index_bytes = uint64_t{1} << log2_index_bytes;
    if (kind != 0) out->entry_size = kEntry;
  }
  uint64_t count = 0;
  if (!ReadValue(reader, keys + objects.keys_entry_count, &count)) return false;
  if (count > slots || count > kMaxDictEntries) return false;
  out->count = static_cast<uint32_t>(count);
  out->entries = keys + objects.keys_indices + index_bytes;
  out->values = 0;
  return true;
}

// The table of the dictionary at `dict`.
template <MemoryReader R>
bool ReadDict(const ObjectLayout& objects, const R& reader, uint64_t dict, DictTable* out) {
  uint64_t keys = 0;
  uint64_t values = 0;
  if (dict == 0 || dict % 8 != 0 || !ReadValue(reader, dict + objects.dict_keys, &keys) ||
      !ReadValue(reader, dict + objects.dict_values, &values) ||
      !ReadKeys(objects, reader, keys, out)) {
    return false;
  }
  if (values != 0) out->values = values + objects.values_first;
  return true;
}

// Calls `visit(key, value)` for every entry from number `first` on that has a
// value, until it returns false. Returns false when the entries are unreadable.
template <MemoryReader R, class V>
bool VisitEntries(const R& reader, const DictTable& table, uint32_t first, const V& visit) {
  constexpr uint32_t kBatch = 32;
  constexpr uint32_t kEntryWords = 3;
  uint64_t words[kBatch * kEntryWords];
  const uint32_t width = table.entry_size / 8;
  for (uint32_t start = first; start < table.count; start += kBatch) {
    const uint32_t n = std::min(kBatch, table.count - start);
    const uint64_t from = table.entries + uint64_t{start} * table.entry_size;
    if (!reader.Read(from, words, size_t{n} * table.entry_size)) return false;
    for (uint32_t i = 0; i < n; ++i) {
      const uint64_t* entry = words + i * width + (width - 2);
      const uint64_t key = entry[0];
      uint64_t value = entry[1];
      if (table.values != 0 && !ReadValue(reader, table.values + uint64_t{start + i} * 8, &value)) {
        return false;
      }
      if (key != 0 && value != 0 && !visit(key, value)) return true;
    }
  }
  return true;
}

}  // namespace pyrometer::cpython
