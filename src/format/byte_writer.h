// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/varint.h"

namespace pyrometer::format {

// Appends the primitives of the format to a growing buffer.
// Thread-safety: none; one owner.
class ByteWriter {
 public:
  void Byte(uint8_t v) { bytes_.push_back(v); }

  template <class T>
  void Fixed(T v) {
    for (size_t i = 0; i < sizeof(T); ++i) Byte(static_cast<uint8_t>(v >> (8 * i)));
  }

  void Varint(uint64_t v) {
    for (; v >= 0x80; v >>= 7) Byte(static_cast<uint8_t>(v) | 0x80);
    Byte(static_cast<uint8_t>(v));
  }

  void Signed(int64_t v) { Varint(base::ZigZag(v)); }

  void Bytes(std::span<const uint8_t> v) { bytes_.insert(bytes_.end(), v.begin(), v.end()); }

  void Text(std::string_view v) {
    Varint(v.size());
    bytes_.insert(bytes_.end(), v.begin(), v.end());
  }

  void Clear() { bytes_.clear(); }
  size_t size() const { return bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace pyrometer::format
