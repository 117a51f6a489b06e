// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace pyrometer::symbolize {

// Reads the encodings of DWARF, little-endian, from bytes that nobody vouches for. After the first
// failure every read gives 0 or nothing and ok() is false, so callers check once in a while.
//
// Thread-safety: one owner. The bytes are borrowed.
class DwarfBytes {
 public:
  DwarfBytes() = default;
  explicit DwarfBytes(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // Text that ends with a 0, at `offset` of `section`; empty where there is none.
  static std::string_view TextAt(std::string_view section, uint64_t offset) {
    if (offset >= section.size()) return {};
    return DwarfBytes(section.substr(offset)).Text();
  }

  bool ok() const { return ok_; }
  // False after a failure, so that loops end.
  bool More() const { return ok_ && at_ != end_; }

  template <class T>
  T Fixed() {
    T value{};
    if (!Has(sizeof value)) return T{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  uint64_t Uleb() {
    int bits;
    return Leb(&bits);
  }

  int64_t Sleb() {
    int bits;
    const uint64_t value = Leb(&bits);
    const bool negative = bits < 64 && (value >> (bits - 1) & 1) != 0;
    return static_cast<int64_t>(negative ? value | ~uint64_t{0} << bits : value);
  }

  // Up to a 0, and behind it.
  std::string_view Text() {
    const auto size = static_cast<size_t>(end_ - at_);
    const void* const zero = ok_ && size != 0 ? std::memchr(at_, 0, size) : nullptr;
    if (zero == nullptr) {
      ok_ = false;
      return {};
    }
    const std::string_view text(at_, static_cast<size_t>(static_cast<const char*>(zero) - at_));
    at_ += text.size() + 1;
    return text;
  }

  void Skip(uint64_t count) {
    if (Has(count)) at_ += count;
  }

  // Nothing behind the next `count` bytes is to be read.
  void CutAfter(uint64_t count) {
    if (Has(count)) end_ = at_ + count;
  }

 private:
  bool Has(uint64_t count) {
    ok_ = ok_ && count <= static_cast<uint64_t>(end_ - at_);
    return ok_;
  }

  // `bits`: how many the encoding had, at least 7.
  uint64_t Leb(int* bits) {
    uint64_t value = 0;
    *bits = 0;
    // No encoding of 64 bits needs more; longer ones are padding or hostile.
    while (*bits < 70 && Has(1)) {
      const auto byte = static_cast<uint8_t>(*at_++);
      if (*bits < 64) value |= uint64_t{byte & 0x7fu} << *bits;
      *bits += 7;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    *bits = 7;
    return 0;
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool ok_ = true;
};

}  // namespace pyrometer::symbolize
