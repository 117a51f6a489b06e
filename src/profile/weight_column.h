// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyrometer::profile {

// Times in nanoseconds, one for each row: exact, whatever they are, but in half the room where they
// are below two seconds, as nearly all weights of samples are.
//
// REQUIRES: fewer than 2^31 rows that are not. Thread-safety: none; one owner.
class WeightColumn {
 public:
  size_t size() const { return numbers_.size(); }
  uint64_t operator[](size_t row) const {
    const uint32_t number = numbers_[row];
    return (number & kIsPlace) == 0 ? number : large_[number & ~kIsPlace];
  }
  void Set(size_t row, uint64_t value) {
    uint32_t& number = numbers_[row];
    if (value < kIsPlace) {
      number = static_cast<uint32_t>(value);
    } else if ((number & kIsPlace) != 0) {
      large_[number & ~kIsPlace] = value;
    } else {
      number = kIsPlace | static_cast<uint32_t>(large_.size());
      large_.push_back(value);
    }
  }
  void push_back(uint64_t value) {
    numbers_.push_back(0);
    Set(size() - 1, value);
  }
  // New rows have 0.
  void resize(size_t size) { numbers_.resize(size); }
  void reserve(size_t size) { numbers_.reserve(size); }
  void Prefetch(size_t row) const { __builtin_prefetch(&numbers_[row]); }

 private:
  static constexpr uint32_t kIsPlace = uint32_t{1} << 31;

  std::vector<uint32_t> numbers_;  // the value, or kIsPlace and where it stands in large_
  std::vector<uint64_t> large_;
};

}  // namespace pyrometer::profile
