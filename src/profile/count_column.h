// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace pyrometer::profile {

// Counts, one for each row, all in as few bytes as the largest of them needs: one, two or four.
// Most samples are one observation; those of a thread that waits for long are a few hundred.
//
// Thread-safety: none; one owner.
class CountColumn {
 public:
  size_t size() const { return bytes_.size() >> shift_; }
  uint32_t operator[](size_t row) const {
    if (shift_ == 0) return bytes_[row];
    return shift_ == 1 ? Read<uint16_t>(row) : Read<uint32_t>(row);
  }
  void Set(size_t row, uint32_t value) {
    while (shift_ < kWidest && value >> (8u << shift_) != 0) Widen();
    Write(row, value);
  }
  void push_back(uint32_t value) {
    resize(size() + 1);
    Set(size() - 1, value);
  }
  // New rows have 0.
  void resize(size_t size) { bytes_.resize(size << shift_); }
  void reserve(size_t size) { bytes_.reserve(size << shift_); }
  void Prefetch(size_t row) const { __builtin_prefetch(&bytes_[row << shift_]); }

 private:
  static constexpr unsigned kWidest = 2;

  template <class Number>
  uint32_t Read(size_t row) const {
    Number number;
    std::memcpy(&number, &bytes_[row * sizeof number], sizeof number);
    return number;
  }
  template <class Number>
  void Store(size_t row, Number number) {
    std::memcpy(&bytes_[row * sizeof number], &number, sizeof number);
  }
  void Write(size_t row, uint32_t value) {
    if (shift_ == 0)
      bytes_[row] = static_cast<uint8_t>(value);
    else if (shift_ == 1)
      Store(row, static_cast<uint16_t>(value));
    else
      Store(row, value);
  }
  void Widen() {
    CountColumn wider;
    wider.shift_ = shift_ + 1;
    wider.reserve(bytes_.capacity() >> shift_);
    wider.resize(size());
    for (size_t row = 0; row < size(); ++row) wider.Write(row, (*this)[row]);
    *this = std::move(wider);
  }

  std::vector<uint8_t> bytes_;
  unsigned shift_ = 0;  // a count takes 1 << shift_ bytes
};

}  // namespace pyrometer::profile
