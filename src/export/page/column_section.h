// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/varint.h"

// The sections of docs/format/page-data.md, byte by byte.
namespace pyrometer::export_ {

enum class SectionEncoding : uint8_t {
  kText = 0,
  kNumbers = 1,
  kDeltas = 2,
  kConstant = 3,
  kStrings = 4,
};

// Larger values are written as this one, which a double still holds.
inline constexpr uint64_t kLargestValue = (uint64_t{1} << 53) - 1;

// Bytes at the end of a string, in large pieces.
class SectionBytes {
 public:
  explicit SectionBytes(std::string& out) : out_(out) {}
  SectionBytes(const SectionBytes&) = delete;
  SectionBytes& operator=(const SectionBytes&) = delete;

  void Varint(uint64_t value) {
    if (used_ + base::kMaxVarintBytes > buffer_.size()) Flush();
    used_ += base::PutVarint(buffer_.data() + used_, value);
  }
  void Bytes(std::string_view bytes);
  void Byte(uint8_t byte);
  void U32(uint32_t value);
  // What comes before the bytes of a section.
  void Header(std::string_view name, SectionEncoding encoding, uint64_t count,
              uint64_t byte_length);
  // The string has all of it after this, and not before.
  void Flush();

 private:
  std::string& out_;
  size_t used_ = 0;
  std::array<uint8_t, 1 << 16> buffer_;
};

constexpr size_t VarintSize(uint64_t value) {
  // Bits divided by seven and rounded up, without the division.
  return (static_cast<size_t>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

// Writes the column `get(0)`, `get(1)`, … in the encoding that the format demands.
// Goes through it twice: for the sizes, and for the bytes.
template <class Get>
void WriteColumn(SectionBytes& out, std::string_view name, size_t count, Get get) {
  const auto value_at = [&](size_t i) {
    return std::min(static_cast<uint64_t>(get(i)), kLargestValue);
  };
  const auto delta = [](uint64_t value, uint64_t before) {
    return base::ZigZag(static_cast<int64_t>(value - before));
  };
  const uint64_t first = count == 0 ? 0 : value_at(0);
  uint64_t number_bytes = 0, delta_bytes = 0, before = 0, different = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = value_at(i);
    number_bytes += VarintSize(value);
    delta_bytes += VarintSize(delta(value, before));
    different |= value ^ first;
    before = value;
  }
  if (count != 0 && different == 0) {
    out.Header(name, SectionEncoding::kConstant, count, VarintSize(first));
    out.Varint(first);
    return;
  }
  if (number_bytes <= delta_bytes) {
    out.Header(name, SectionEncoding::kNumbers, count, number_bytes);
    for (size_t i = 0; i < count; ++i) out.Varint(value_at(i));
    return;
  }
  out.Header(name, SectionEncoding::kDeltas, count, delta_bytes);
  before = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = value_at(i);
    out.Varint(delta(value, before));
    before = value;
  }
}

}  // namespace pyrometer::export_
