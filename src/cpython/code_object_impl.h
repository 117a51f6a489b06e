// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpython/code_extent.h"
#include "cpython/code_object.h"
#include "cpython/struct_image.h"

namespace pyrometer::cpython {

inline uint64_t CodeHead::Identity() const {
  uint64_t mix = 0x9e3779b97f4a7c15;
  const uint64_t fields[] = {filename, qualname,      line_table,
                             bytecode, bytecode_size, static_cast<uint64_t>(first_line)};
  for (const uint64_t field : fields) {
    mix = (mix ^ field) * 0xff51afd7ed558ccd;
    mix ^= mix >> 32;
  }
  return mix;
}

template <MemoryReader R>
bool ReadCodeHead(const Layout& layout, const R& reader, uint64_t code, CodeHead* out) {
  CodeExtent extent;
  if (!ReadCodeExtent(layout, reader, code, &extent)) return false;
  const uint32_t name = layout.code.qualname != kAbsent ? layout.code.qualname : layout.code.name;
  if (!ReadValue(reader, code + layout.code.filename, &out->filename) ||
      !ReadValue(reader, code + name, &out->qualname) ||
      !ReadValue(reader, code + layout.code.line_table, &out->line_table) ||
      !ReadValue(reader, code + layout.code.first_line, &out->first_line)) {
    return false;
  }
  out->bytecode = extent.bytecode;
  out->bytecode_size = static_cast<uint32_t>(extent.bytecode_size);
  return out->filename != 0 && out->qualname != 0 && out->line_table != 0;
}

template <MemoryReader R>
bool ReadText(const Layout& layout, const R& reader, uint64_t unicode, TextView* out) {
  constexpr int64_t kMaxLength = 1 << 28;
  if (unicode == 0 || unicode % 8 != 0) return false;
  int64_t length = 0;
  uint32_t state = 0;
  if (!ReadValue(reader, unicode + layout.unicode.length, &length) ||
      !ReadValue(reader, unicode + layout.unicode.state, &state) || length < 0 ||
      length > kMaxLength) {
    return false;
  }
  const uint32_t kind = state >> layout.unicode.kind_shift & 7;
  const bool compact = (state >> layout.unicode.compact_shift & 1) != 0;
  const bool ascii = (state >> layout.unicode.ascii_shift & 1) != 0;
  if (kind != 1 && kind != 2 && kind != 4) return false;
  out->length = static_cast<uint32_t>(length);
  out->kind = static_cast<uint8_t>(kind);
  if (!compact) {
    return ReadValue(reader, unicode + layout.unicode.compact_size, &out->data) && out->data != 0;
  }
  out->data = unicode + (ascii ? layout.unicode.ascii_size : layout.unicode.compact_size);
  return true;
}

template <MemoryReader R>
bool ReadBytes(const Layout& layout, const R& reader, uint64_t bytes, BytesView* out) {
  constexpr int64_t kMaxSize = 1 << 28;
  int64_t size = 0;
  if (bytes == 0 || bytes % 8 != 0 || !ReadValue(reader, bytes + layout.object.var_size, &size) ||
      size < 0 || size > kMaxSize) {
    return false;
  }
  out->data = bytes + layout.bytes.data;
  out->size = static_cast<uint32_t>(size);
  return true;
}

}  // namespace pyrometer::cpython
