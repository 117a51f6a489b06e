// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/debug_table.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

inline constexpr size_t kMaxDebugTableSize = 1024;

// As LayoutFromDebugOffsets, from a copy of the table.
bool LayoutFromTable(std::span<const uint8_t> bytes, uint32_t version_hex, Layout* out);

// Fills `*out` from the offsets table that CPython 3.13 and later publish at
// the start of the runtime structure at `runtime`; the type addresses are left
// 0. Returns false unless the table carries its cookie, names exactly
// `version_hex`, and every offset lies inside the structure that it describes.
// Covers 3.13 to 3.15, with and without the GIL; pre-releases are refused.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool LayoutFromDebugOffsets(const R& reader, uint64_t runtime, uint32_t version_hex, Layout* out) {
  const DebugTable* table = FindDebugTable(version_hex >> 16 & 0xff);
  uint8_t bytes[kMaxDebugTableSize];
  if (table == nullptr || table->size > sizeof bytes) return false;
  if (!reader.Read(runtime, bytes, table->size)) return false;
  return LayoutFromTable({bytes, table->size}, version_hex, out);
}

}  // namespace pyrometer::cpython
