// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pyrometer::cpython {

// Source of the interpreter's memory: the own process, another process, or a
// fake in tests. Read copies `size` bytes at `address` and never faults; it
// returns false, with the output undefined, when any byte is unreadable.
template <class R>
concept MemoryReader = requires(const R reader, uint64_t address, void* out, size_t size) {
  { reader.Read(address, out, size) } -> std::same_as<bool>;
};

// Reads one trivially copyable value. Returns false when it is unreadable.
template <class T, MemoryReader R>
bool ReadValue(const R& reader, uint64_t address, T* out) {
  return reader.Read(address, out, sizeof(T));
}

}  // namespace pyrometer::cpython
