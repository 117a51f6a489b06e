// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// A local copy of the first `Size` bytes of a structure of the target, fetched
// in one read. Field offsets come from a validated Layout.
// Signal-safety: async-signal-safe if the reader is.
template <size_t Size>
class StructImage {
 public:
  // Reads only `size` bytes, where the structure may end at unmapped memory.
  template <MemoryReader R>
  bool Load(const R& reader, uint64_t address, size_t size = Size) {
    return size <= Size && reader.Read(address, bytes_, size);
  }

  // The field at `offset`, which Load must have covered; zero when it lies
  // outside the image.
  template <class T>
  T Get(uint32_t offset) const {
    T value{};
    if (offset <= Size - sizeof(T)) std::memcpy(&value, bytes_ + offset, sizeof(T));
    return value;
  }

 private:
  unsigned char bytes_[Size];
};

}  // namespace pyrometer::cpython
