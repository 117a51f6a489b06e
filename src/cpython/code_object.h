// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// The fields of a code object that name it. Addresses are of the target.
struct CodeHead {
  uint64_t filename = 0;    // str
  uint64_t qualname = 0;    // str; the plain name before 3.11
  uint64_t line_table = 0;  // bytes
  uint64_t bytecode = 0;    // first instruction
  uint32_t bytecode_size = 0;
  int32_t first_line = 0;

  // Mix of all fields. A different value means that another code object now
  // lives at the same address.
  uint64_t Identity() const;
};

// Characters of a str: `length` code points of `kind` bytes each (1 = Latin-1).
struct TextView {
  uint64_t data = 0;
  uint32_t length = 0;
  uint8_t kind = 1;
};

struct BytesView {
  uint64_t data = 0;
  uint32_t size = 0;
};

// All return false when the object is unreadable or implausible for its type.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadCodeHead(const Layout& layout, const R& reader, uint64_t code, CodeHead* out);
template <MemoryReader R>
bool ReadText(const Layout& layout, const R& reader, uint64_t unicode, TextView* out);
template <MemoryReader R>
bool ReadBytes(const Layout& layout, const R& reader, uint64_t bytes, BytesView* out);

}  // namespace pyrometer::cpython

#include "cpython/code_object_impl.h"  // IWYU pragma: keep
