// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/id.h"

namespace pyrometer::profile {

// How a column keeps counts and ids: as a number that is low where they are. 0 stands for no id.
inline uint32_t ToNumber(uint32_t count) { return count; }
template <class Tag>
uint32_t ToNumber(base::Id<Tag> id) {
  return id.value;
}
template <class IdType>
uint32_t ToNumber(base::OptionalId<IdType> id) {
  return id ? (*id).value + 1 : 0;
}
inline void FromNumber(uint32_t number, uint32_t& count) { count = number; }
template <class Tag>
void FromNumber(uint32_t number, base::Id<Tag>& id) {
  id = base::Id<Tag>(number);
}
template <class IdType>
void FromNumber(uint32_t number, base::OptionalId<IdType>& id) {
  id = number == 0 ? base::OptionalId<IdType>() : IdType(number - 1);
}

// Counts or ids, one for each row, all in as few bytes as the largest of them needs: one, two or
// four. Most samples are one observation of one of a few threads, and in no task.
//
// Thread-safety: none; one owner.
template <class Value>
class NarrowColumn {
 public:
  size_t size() const { return bytes_.size() >> shift_; }
  Value operator[](size_t row) const {
    Value value;
    FromNumber(NumberAt(row), value);
    return value;
  }
  void Set(size_t row, Value value) {
    const uint32_t number = ToNumber(value);
    while (shift_ < kWidest && number >> (8u << shift_) != 0) Widen();
    Write(row, number);
  }
  void push_back(Value value) {
    resize(size() + 1);
    Set(size() - 1, value);
  }
  // New rows have 0, or no id.
  void resize(size_t size) { bytes_.resize(size << shift_); }
  void reserve(size_t size) { bytes_.reserve(size << shift_); }
  void Prefetch(size_t row) const { __builtin_prefetch(&bytes_[row << shift_]); }

 private:
  static constexpr unsigned kWidest = 2;

  uint32_t NumberAt(size_t row) const {
    if (shift_ == 0) return bytes_[row];
    return shift_ == 1 ? Read<uint16_t>(row) : Read<uint32_t>(row);
  }
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
  void Write(size_t row, uint32_t number) {
    if (shift_ == 0)
      bytes_[row] = static_cast<uint8_t>(number);
    else if (shift_ == 1)
      Store(row, static_cast<uint16_t>(number));
    else
      Store(row, number);
  }
  void Widen() {
    NarrowColumn wider;
    wider.shift_ = shift_ + 1;
    wider.reserve(bytes_.capacity() >> shift_);
    wider.resize(size());
    for (size_t row = 0; row < size(); ++row) wider.Write(row, NumberAt(row));
    *this = std::move(wider);
  }

  std::vector<uint8_t> bytes_;
  unsigned shift_ = 0;  // a row takes 1 << shift_ bytes
};

}  // namespace pyrometer::profile
