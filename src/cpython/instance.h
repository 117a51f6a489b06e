// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "cpython/dict_table.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/name_lookup.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// The type of the object at `object`; 0 when unreadable or implausible.
// Signal-safety (all functions): async-signal-safe if the reader is.
template <MemoryReader R>
uint64_t TypeOf(const Layout& layout, const R& reader, uint64_t object) {
  uint64_t type = 0;
  if (object == 0 || object % 8 != 0) return 0;
  if (!ReadValue(reader, object + layout.object.type, &type) || type % 8 != 0) return 0;
  return type;
}

// Whether the object at `type` is a type: an instance of a type of types. What is only
// taken for an object, because its memory has been given to something else, has none.
template <MemoryReader R>
bool IsType(const Layout& layout, const ObjectLayout& objects, const R& reader, uint64_t type) {
  constexpr uint64_t kTypeSubclass = uint64_t{1} << 31;
  uint64_t flags = 0;
  const uint64_t meta = TypeOf(layout, reader, type);
  return meta != 0 && ReadValue(reader, meta + objects.type_flags, &flags) &&
         (flags & kTypeSubclass) != 0;
}

// Whether `type` is `base` or inherits its structure.
template <MemoryReader R>
bool IsSubtype(const ObjectLayout& objects, const R& reader, uint64_t type, uint64_t base) {
  constexpr int kMaxBases = 64;
  for (int i = 0; base != 0 && type != 0 && i < kMaxBases; ++i) {
    if (type == base) return true;
    if (!ReadValue(reader, type + objects.type_base, &type) || type % 8 != 0) return false;
  }
  return false;
}

// Where an instance keeps its attributes: a dictionary, or values whose keys
// its type knows.
struct AttributeStore {
  uint64_t dict = 0;
  uint64_t values = 0;
};

template <MemoryReader R>
bool ReadManagedStore(const ObjectLayout& objects, const R& reader, uint64_t object, uint64_t type,
                      uint64_t flags, AttributeStore* out) {
  constexpr uint64_t kInlineValues = 1 << 2;
  uint64_t word = 0;
  if (!ReadValue(reader, object - objects.managed_dict, &word)) return false;
  if (objects.minor == 12 && (word & 1) != 0) {
    out->values = word + 1;  // one less than the address marks values
    return true;
  }
  out->dict = word;
  if (word != 0) return true;
  if (objects.managed_values != kAbsent) {
    return ReadValue(reader, object - objects.managed_values, &out->values);
  }
  if (objects.values_valid == kAbsent || (flags & kInlineValues) == 0) return false;
  uint64_t size = 0;
  uint8_t valid = 0;
  constexpr uint64_t kMaxInstance = 1 << 20;
  if (!ReadValue(reader, type + objects.type_basic_size, &size) || size > kMaxInstance ||
      !ReadValue(reader, object + size + objects.values_valid, &valid) || valid == 0) {
    return false;
  }
  out->values = object + size;
  return true;
}

template <MemoryReader R>
bool ReadStore(const ObjectLayout& objects, const R& reader, uint64_t object, uint64_t type,
               AttributeStore* out) {
  constexpr uint64_t kManagedDict = 1 << 4;
  constexpr int64_t kMaxInstance = 1 << 20;
  uint64_t flags = 0;
  int64_t offset = 0;
  if (!ReadValue(reader, type + objects.type_flags, &flags)) return false;
  if (objects.managed_dict != kAbsent && (flags & kManagedDict) != 0) {
    return ReadManagedStore(objects, reader, object, type, flags, out);
  }
  return ReadValue(reader, type + objects.type_dict_offset, &offset) && offset > 0 &&
         offset <= kMaxInstance &&
         ReadValue(reader, object + static_cast<uint64_t>(offset), &out->dict);
}

// The attribute `name` that the instance at `object` itself holds; attributes
// of its class do not count. False when there is none.
template <MemoryReader R>
bool ReadAttribute(const Layout& layout, const ObjectLayout& objects, const R& reader,
                   uint64_t object, std::string_view name, uint64_t* value) {
  const uint64_t type = TypeOf(layout, reader, object);
  AttributeStore store;
  if (type == 0 || !ReadStore(objects, reader, object, type, &store)) return false;
  if (store.dict != 0) return FindInDict(layout, objects, reader, store.dict, name, value);
  uint64_t keys = 0;
  DictTable table;
  if (store.values == 0 || store.values % 8 != 0 ||
      !ReadValue(reader, type + objects.type_cached_keys, &keys) ||
      !ReadKeys(objects, reader, keys, &table)) {
    return false;
  }
  table.values = store.values + objects.values_first;
  return FindName(layout, reader, table, name, value);
}

}  // namespace pyrometer::cpython
