// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/struct_image.h"

namespace pyrometer::cpython {

// Room for every code object field that a walk needs at once; LayoutIsSane
// keeps their offsets below it.
inline constexpr size_t kCodeImageSize = 104;

// The part of a code object that the frame walk checks against: its bytecode
// and the size of its frames.
struct CodeExtent {
  uint64_t bytecode = 0;       // address of the first instruction
  uint64_t bytecode_size = 0;  // bytes
  uint64_t frame_size = 0;     // bytes in the data stack, 3.11+
  // Code whose first traceable instruction lies beyond its end never shows up
  // in tracebacks: the interpreter pushes it between a class call and its
  // __init__.
  bool is_trampoline = false;
};

// Where a walk gets extents from: the code objects themselves, or what is
// remembered of them.
template <class S>
concept ExtentSource = requires(const S source, uint64_t code, CodeExtent* out) {
  { source.Find(code, out) } -> std::same_as<bool>;
};

// False unless `code` is a code object with plausible fields.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadCodeExtent(const Layout& layout, const R& reader, uint64_t code, CodeExtent* out) {
  constexpr int64_t kMaxUnits = 1 << 28;
  constexpr int32_t kMaxWords = 1 << 24;
  if (code == 0 || code % 8 != 0) return false;
  StructImage<kCodeImageSize> image;
  if (!image.Load(reader, code)) return false;
  const auto type = image.Get<uint64_t>(layout.object.type);
  if (layout.type_code != 0 ? type != layout.type_code : (type == 0 || type % 8 != 0)) return false;
  if (image.Get<int32_t>(layout.code.first_line) < 0) return false;

  if (layout.code.local_count == kAbsent) {
    const auto bytes = image.Get<uint64_t>(layout.code.bytecode);
    int64_t size = 0;
    if (bytes == 0 || bytes % 8 != 0 || !ReadValue(reader, bytes + layout.object.var_size, &size) ||
        size <= 0 || size > kMaxUnits) {
      return false;
    }
    out->bytecode = bytes + layout.bytes.data;
    out->bytecode_size = static_cast<uint64_t>(size);
    return true;
  }

  const auto units = image.Get<int64_t>(layout.object.var_size);
  const auto locals = image.Get<int32_t>(layout.code.local_count);
  if (units <= 0 || units > kMaxUnits || locals < 0 || locals > kMaxWords) return false;
  out->bytecode = code + layout.code.bytecode;
  out->bytecode_size = static_cast<uint64_t>(units) * 2;
  if (layout.code.frame_words != kAbsent) {
    const auto words = image.Get<int32_t>(layout.code.frame_words);
    if (words <= 0 || words > kMaxWords) return false;
    out->frame_size = static_cast<uint64_t>(words) * 8;
  } else {
    const auto stack = image.Get<int32_t>(layout.code.stack_size);
    if (stack < 0 || stack > kMaxWords) return false;
    out->frame_size = layout.frame.specials_size + static_cast<uint64_t>(locals + stack) * 8;
  }
  constexpr uint64_t kMaxTrampolineSize = 16;
  out->is_trampoline = false;
  if (layout.code.first_traceable != kAbsent && out->bytecode_size <= kMaxTrampolineSize) {
    int32_t first = 0;
    if (!ReadValue(reader, code + layout.code.first_traceable, &first)) return false;
    out->is_trampoline = first >= 0 && static_cast<uint64_t>(first) * 2 >= out->bytecode_size;
  }
  return out->frame_size >= layout.frame.specials_size;
}

// Reads every extent from its code object.
template <MemoryReader R>
class FreshExtents {
 public:
  FreshExtents(const Layout& layout, const R& reader) : layout_(layout), reader_(reader) {}
  bool Find(uint64_t code, CodeExtent* out) const {
    return ReadCodeExtent(layout_, reader_, code, out);
  }

 private:
  const Layout& layout_;
  const R& reader_;
};

}  // namespace pyrometer::cpython
