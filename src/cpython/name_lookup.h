// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "cpython/code_object.h"
#include "cpython/dict_table.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

inline constexpr size_t kMaxLookupName = 32;

// Whether the str at `unicode` is `name`, ASCII of at most kMaxLookupName
// characters. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool TextIs(const Layout& layout, const R& reader, uint64_t unicode, std::string_view name) {
  // Most names differ in length already.
  uint64_t length = 0;
  if (unicode % 8 != 0 || !ReadValue(reader, unicode + layout.unicode.length, &length) ||
      length != name.size() || length > kMaxLookupName) {
    return false;
  }
  TextView view;
  char text[kMaxLookupName];
  return ReadText(layout, reader, unicode, &view) && view.kind == 1 && view.length == length &&
         reader.Read(view.data, text, length) && std::memcmp(text, name.data(), length) == 0;
}

// The value of `name` among the entries of `table`. False when there is none.
template <MemoryReader R>
bool FindName(const Layout& layout, const R& reader, const DictTable& table, std::string_view name,
              uint64_t* value) {
  bool found = false;
  VisitEntries(reader, table, 0, [&](uint64_t key, uint64_t candidate) {
    found = TextIs(layout, reader, key, name);
    if (found) *value = candidate;
    return !found;
  });
  return found;
}

// The value of `name` in the dictionary at `dict`.
template <MemoryReader R>
bool FindInDict(const Layout& layout, const ObjectLayout& objects, const R& reader, uint64_t dict,
                std::string_view name, uint64_t* value) {
  DictTable table;
  return ReadDict(objects, reader, dict, &table) && FindName(layout, reader, table, name, value);
}

}  // namespace pyrometer::cpython
