// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/code_extent.h"
#include "cpython/frame_walk.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Deeper chains than this are taken for cycles.
inline constexpr uint32_t kMaxDepth = 1 << 20;

// Sets the instruction of `frame` from its address `at`, which must lie in the
// bytecode of `extent` on a code unit boundary, and for a leaf its opcode.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadInstruction(const R& reader, const CodeExtent& extent, uint64_t at, bool leaf,
                     PythonFrame* frame) {
  const uint64_t offset = at - extent.bytecode;
  if (offset >= extent.bytecode_size || offset % 2 != 0) return false;
  frame->instruction = static_cast<uint32_t>(offset);
  return !leaf || ReadValue(reader, at, &frame->opcode);
}

// Free-threaded builds from 3.14 on give each thread its own copy of the
// bytecode: moves `extent` to copy number `index`.
template <MemoryReader R>
bool UseThreadLocalBytecode(const Layout& layout, const R& reader, uint64_t code, int32_t index,
                            CodeExtent* extent) {
  if (index == 0) return true;
  uint64_t array = 0;
  int64_t size = 0;
  return ReadValue(reader, code + layout.code.tlbc, &array) && array != 0 &&
         ReadValue(reader, array, &size) && index > 0 && index < size &&
         ReadValue(reader, array + 8 + static_cast<uint64_t>(index) * 8, &extent->bytecode) &&
         extent->bytecode != 0;
}

}  // namespace pyrometer::cpython
