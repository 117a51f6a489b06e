// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "export/tables/saturating_sum.h"
#include "format/records.h"
#include "metric/values.h"

namespace pyrometer::export_ {

using metric::Metric;

// A value for each metric. Sums stay below 2^64 whatever is added.
class MetricValues {
 public:
  uint64_t operator[](Metric metric) const { return values_.Sum(metric::PartsOf(metric)).value; }
  // REQUIRES: the metric is a recorded one.
  void Add(Metric metric, uint64_t value) {
    if (value != 0) values_.At(metric).Add({value});
  }
  void Add(const MetricValues& other) { values_.Add(other.values_); }
  // `count` observations that stand for `weight_ns`.
  void AddSample(format::Activity activity, uint64_t weight_ns, uint64_t count) {
    Add(Metric::kSamples, count);
    Add(metric::Of(activity), weight_ns);
  }

 private:
  struct Value {
    uint64_t value = 0;
    void Add(const Value& other) { value = SaturatingSum(value, other.value); }
  };

  metric::Values<Value> values_;
};

// What formats for signed numbers can hold of a sum.
constexpr int64_t Signed(uint64_t value) {
  return static_cast<int64_t>(std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
}

}  // namespace pyrometer::export_
