// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "metric/metric.h"

namespace pyrometer::metric {

// A value for each of some metrics. Most rows have one or two of all that there are, and there are
// a great many rows: what is not there takes no memory and no time.
//
// T is cheap to copy, and T() is "nothing". Thread-safety: none; one owner.
template <class T>
class Values {
 public:
  Values() = default;
  Values(const Values& other) { *this = other; }
  Values(Values&& other) noexcept { *this = std::move(other); }
  Values& operator=(const Values& other) {
    if (this == &other) return *this;
    Clear();
    Reserve(other.size());
    mask_ = other.mask_;
    for (size_t i = 0; i < size(); ++i) values_[i] = other.values_[i];
    return *this;
  }
  Values& operator=(Values&& other) noexcept {
    mask_ = std::exchange(other.mask_, 0);
    capacity_ = std::exchange(other.capacity_, uint8_t{0});
    values_ = std::move(other.values_);
    return *this;
  }

  bool empty() const { return mask_ == 0; }
  // Those that are there.
  Mask mask() const { return mask_; }
  bool Has(Metric metric) const { return (mask_ & Bit(metric)) != 0; }
  // T() where there is none.
  T operator[](Metric metric) const { return Has(metric) ? values_[IndexOf(metric)] : T(); }
  // Made where there was none.
  T& At(Metric metric) {
    const size_t index = IndexOf(metric);
    if (!Has(metric)) Insert(metric, index);
    return values_[index];
  }
  // Keeps its memory.
  void Clear() { mask_ = 0; }

  // In the order of the metrics; `visit` gets the metric and a reference to its value.
  template <class Visit>
  void ForEach(Visit visit) const {
    size_t index = 0;
    for (Mask left = mask_; left != 0; left &= left - 1)
      visit(Metric(std::countr_zero(left)), std::as_const(values_[index++]));
  }
  // Of all of `parts` that are there. T has Add().
  T Sum(Mask parts) const {
    T sum = T();
    if ((mask_ & parts) == 0) return sum;
    ForEach([&](Metric part, const T& value) {
      if ((Bit(part) & parts) != 0) sum.Add(value);
    });
    return sum;
  }
  // T has Add().
  void Add(const Values& other) {
    // Nearly always all of them are there: what calls a stack has what it has.
    if ((other.mask_ & ~mask_) == 0) {
      size_t i = 0, from = 0;
      for (Mask left = mask_; left != 0; left &= left - 1, ++i)
        if ((other.mask_ & left & -left) != 0) values_[i].Add(other.values_[from++]);
      return;
    }
    other.ForEach([&](Metric metric, const T& value) { At(metric).Add(value); });
  }

 private:
  size_t size() const { return static_cast<size_t>(std::popcount(mask_)); }
  size_t IndexOf(Metric metric) const {
    return static_cast<size_t>(std::popcount(mask_ & (Bit(metric) - 1)));
  }
  void Insert(Metric metric, size_t index) {
    const size_t count = size();
    if (count == capacity_) {
      const std::unique_ptr<T[]> old = std::move(values_);
      Allocate(count == 0 ? 2 : count * 2);
      for (size_t i = 0; i < count; ++i) values_[i] = old[i];
    }
    for (size_t i = count; i > index; --i) values_[i] = values_[i - 1];
    values_[index] = T();
    mask_ |= Bit(metric);
  }
  void Reserve(size_t count) {
    if (count > capacity_) Allocate(count);
  }
  void Allocate(size_t count) {
    values_.reset(new T[count]);
    capacity_ = static_cast<uint8_t>(count);
  }

  Mask mask_ = 0;
  std::unique_ptr<T[]> values_;  // by number among those that are there
  uint8_t capacity_ = 0;
};

}  // namespace pyrometer::metric
