// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/instance.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"

namespace pyrometer::cpython {

// The value of the int at `object`. False when it is no int, negative, or does
// not fit. Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadInteger(const Layout& layout, const ObjectLayout& objects, const R& reader,
                 uint64_t object, uint64_t* out) {
  constexpr uint64_t kIsInt = uint64_t{1} << 24;
  constexpr uint64_t kSign = 3;
  constexpr int kDigitBits = 30;
  constexpr uint64_t kMaxDigits = 3;
  const uint64_t type = TypeOf(layout, reader, object);
  uint64_t flags = 0;
  uint64_t size = 0;
  if (type == 0 || !ReadValue(reader, type + objects.type_flags, &flags) || (flags & kIsInt) == 0 ||
      !ReadValue(reader, object + objects.first_field, &size)) {
    return false;
  }
  // From 3.12 on the number of digits lies above three flag bits, two of them
  // the sign: 0 positive, 1 zero, 2 negative. Before, negative ints have a
  // negative size, which is a huge one here.
  if (objects.minor >= 12) {
    if ((size & kSign) > 1) return false;
    size = (size & kSign) == 1 ? 0 : size >> 3;
  }
  uint32_t digits[kMaxDigits] = {};
  if (size > kMaxDigits ||
      !reader.Read(object + objects.integer_digits, digits, size * sizeof digits[0])) {
    return false;
  }
  *out = digits[0] | uint64_t{digits[1]} << kDigitBits | uint64_t{digits[2]} << 2 * kDigitBits;
  return digits[2] < 1 << (64 - 2 * kDigitBits);
}

}  // namespace pyrometer::cpython
