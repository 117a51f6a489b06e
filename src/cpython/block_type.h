// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "cpython/instance.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// What stands before an instance of a type with these flags, in the memory that
// was allocated for it: links of the garbage collector, and from 3.11 on room for
// its dictionary (and weak references).
inline uint64_t PreHeaderBytes(const ObjectLayout& objects, uint64_t type_flags) {
  constexpr uint64_t kManagedWeakref = 1 << 3;  // from 3.12 on
  constexpr uint64_t kManagedDict = 1 << 4;     // from 3.11 on
  constexpr uint64_t kCollected = 1 << 14;
  constexpr uint64_t kPair = 2 * sizeof(uint64_t);
  const uint64_t managed = objects.minor >= 12   ? kManagedDict | kManagedWeakref
                           : objects.minor == 11 ? kManagedDict
                                                 : 0;
  return ((type_flags & kCollected) != 0 && !objects.free_threaded ? kPair : 0) +
         ((type_flags & managed) != 0 ? kPair : 0);
}

// Whether the word before the type can be a reference count rather than an address:
// it stands there in every build (free-threaded ones have the shared count there).
// Objects with millions of references are not worth to be mistaken for.
inline bool IsReferenceCount(const ObjectLayout& objects, uint64_t word) {
  constexpr uint64_t kLeastAddress = 0x400000;
  constexpr uint64_t kLeastImmortal = 0x40000000;
  if (objects.free_threaded) {
    // Shifted by two flags; may be below zero.
    return word + 4 * kLeastAddress < 8 * kLeastAddress;
  }
  const uint64_t low = word & 0xffffffff;
  const uint64_t high = word >> 32;
  // From 3.14 on the count has 32 bits, 16 that overflow, and flags.
  if (objects.minor >= 14 ? (high & 0xffff) != 0 : high != 0) return false;
  return low != 0 && (low < kLeastAddress || (objects.minor >= 12 && low >= kLeastImmortal));
}

// The type of the object that a block of `bytes` at `block` was allocated for; 0
// when it holds none. Much that CPython allocates is not an object (the items of a
// list, the table of a dictionary), so what looks like a type must be an instance
// of a type of types, fit into the block, and stand where such objects stand.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
uint64_t TypeOfBlock(const Layout& layout, const ObjectLayout& objects, const R& reader,
                     uint64_t block, uint64_t bytes) {
  constexpr uint64_t kMaxPreHeader = 32;
  constexpr uint64_t kStep = 16;
  for (uint64_t before = 0; before <= kMaxPreHeader; before += kStep) {
    uint64_t count = 0, flags = 0, size = 0;
    if (bytes < before + objects.first_field) return 0;
    if (!ReadValue(reader, block + before + layout.object.type - sizeof count, &count) ||
        !IsReferenceCount(objects, count)) {
      continue;
    }
    const uint64_t type = TypeOf(layout, reader, block + before);
    if (IsType(layout, objects, reader, type) &&
        ReadValue(reader, type + objects.type_flags, &flags) &&
        ReadValue(reader, type + objects.type_basic_size, &size) &&
        PreHeaderBytes(objects, flags) == before && size <= bytes - before) {
      return type;
    }
  }
  return 0;
}

// The name of a type, cut to the room that there is: "module.Name" of one that is
// written in C, "Name" of a class. Empty when unreadable.
template <MemoryReader R>
std::string_view ReadTypeName(const ObjectLayout& objects, const R& reader, uint64_t type,
                              std::span<char> room) {
  constexpr uint64_t kPageBytes = 4096;
  uint64_t name = 0;
  if (!ReadValue(reader, type + objects.type_name, &name) || name == 0) return {};
  size_t count = 0;
  // The page behind a short name need not be there.
  while (count < room.size()) {
    const uint64_t to_page_end = kPageBytes - (name + count) % kPageBytes;
    const size_t n = std::min<size_t>(room.size() - count, to_page_end);
    if (!reader.Read(name + count, room.data() + count, n)) return {};
    for (const size_t end = count + n; count < end; ++count)
      if (room[count] == '\0') return {room.data(), count};
  }
  return {room.data(), count};
}

}  // namespace pyrometer::cpython
