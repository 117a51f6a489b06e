// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyrometer::base {

// LEB128: seven bits a byte, least significant first, high bit = more follows.
inline constexpr size_t kMaxVarintBytes = 10;

// Maps small magnitudes of either sign to small unsigned values.
constexpr uint64_t ZigZag(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
constexpr int64_t UnZigZag(uint64_t v) {
  return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1);
}

// Writes `v` at `out`, which has room for kMaxVarintBytes. Returns its length.
constexpr size_t PutVarint(uint8_t* out, uint64_t v) {
  size_t n = 0;
  while (v >= 0x80) {
    out[n++] = static_cast<uint8_t>(v) | 0x80;
    v >>= 7;
  }
  out[n++] = static_cast<uint8_t>(v);
  return n;
}

// Reads one varint from [p, end). Returns its length, or 0 when it is cut off
// or longer than 64 bits.
constexpr size_t GetVarint(const uint8_t* p, const uint8_t* end, uint64_t* v) {
  uint64_t value = 0;
  for (size_t n = 0; n < kMaxVarintBytes && p + n != end; ++n) {
    const uint64_t bits = p[n] & 0x7f;
    if (n == kMaxVarintBytes - 1 && bits > 1) return 0;
    value |= bits << (7 * n);
    if ((p[n] & 0x80) == 0) {
      *v = value;
      return n + 1;
    }
  }
  return 0;
}

}  // namespace pyrometer::base
