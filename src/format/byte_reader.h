// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/varint.h"

namespace pyrometer::format {

// Reads the primitives of the format from bytes that nobody vouches for.
//
// A read that finds too few bytes or a value out of range returns zero and
// makes the reader fail for good: ok() is false from then on and every later
// read returns zero, so a record is read whole and checked once.
//
// Does not own the bytes. Thread-safety: none; one owner.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }
  size_t remaining() const { return rest_.size(); }

  void Fail() {
    ok_ = false;
    rest_ = {};
  }

  std::span<const uint8_t> Bytes(uint64_t n) {
    if (n > rest_.size()) {
      Fail();
      return {};
    }
    const auto taken = rest_.first(n);
    rest_ = rest_.subspan(n);
    return taken;
  }

  uint8_t Byte() {
    const auto taken = Bytes(1);
    return taken.empty() ? uint8_t{0} : taken[0];
  }

  template <class T>
  T Fixed() {
    T v = 0;
    size_t shift = 0;
    for (const uint8_t byte : Bytes(sizeof(T))) {
      v = static_cast<T>(v | (static_cast<T>(byte) << shift));
      shift += 8;
    }
    return v;
  }

  uint64_t Varint() {
    // Most are of one byte.
    if (!rest_.empty() && rest_[0] < 0x80) {
      const uint8_t byte = rest_[0];
      rest_ = rest_.subspan(1);
      return byte;
    }
    uint64_t v = 0;
    const size_t n = base::GetVarint(rest_.data(), rest_.data() + rest_.size(), &v);
    if (n == 0) {
      Fail();
      return 0;
    }
    rest_ = rest_.subspan(n);
    return v;
  }

  uint32_t U32() {
    const uint64_t v = Varint();
    if (v <= std::numeric_limits<uint32_t>::max()) return static_cast<uint32_t>(v);
    Fail();
    return 0;
  }

  int64_t Signed() { return base::UnZigZag(Varint()); }

  int32_t I32() {
    const int64_t v = Signed();
    if (v == static_cast<int32_t>(v)) return static_cast<int32_t>(v);
    Fail();
    return 0;
  }

  // Valid as long as the bytes that the reader was made from.
  std::string_view Text() {
    const auto taken = Bytes(Varint());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace pyrometer::format
