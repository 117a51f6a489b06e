// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "export/saturating_sum.h"
#include "format/records.h"

namespace pyrometer::export_ {

// What a profile knows about each stack, in the order in which formats with several
// values list them.
enum class Metric : uint8_t {
  kSamples,
  kCpu,     // the three that follow
  kPython,  // from here on as format::Activity
  kNative,
  kKernel,
  kIoWait,
  kLockWait,
  kGilWait,
  kSleep,
  kChildWait,
  kRunWait,
  kOtherWait,
  kWall,  // all of the above
  kAllocated,
  kLiveAtPeak,  // of each process, when it had most in use
  kLeftAtEnd,
  kCopied,
};
inline constexpr size_t kMetricCount = 17;

enum class MetricUnit : uint8_t { kCount, kNanoseconds, kBytes };

// As options and formats name it.
std::string_view MetricName(Metric metric);
// Empty: there is none of that name.
std::optional<Metric> FindMetric(std::string_view name);
MetricUnit UnitOf(Metric metric);
// "count", "nanoseconds", "bytes".
std::string_view UnitName(MetricUnit unit);
constexpr Metric MetricOf(format::Activity activity) {
  return Metric(static_cast<size_t>(Metric::kPython) + static_cast<size_t>(activity));
}

// One value for each metric. Sums stay below 2^64 whatever is added.
class MetricValues {
 public:
  uint64_t operator[](Metric metric) const { return values_[static_cast<size_t>(metric)]; }
  void Add(Metric metric, uint64_t value) {
    uint64_t& sum = values_[static_cast<size_t>(metric)];
    sum = SaturatingSum(sum, value);
  }
  void Add(const MetricValues& other) {
    for (size_t i = 0; i < kMetricCount; ++i) Add(Metric(i), other.values_[i]);
  }
  // `count` observations that stand for `weight_ns`.
  void AddSample(format::Activity activity, uint64_t weight_ns, uint64_t count) {
    Add(Metric::kSamples, count);
    Add(MetricOf(activity), weight_ns);
    Add(Metric::kWall, weight_ns);
    if (format::IsOnCpu(activity)) Add(Metric::kCpu, weight_ns);
  }

 private:
  std::array<uint64_t, kMetricCount> values_{};
};

// A metric that consists of time: whether this activity is part of it.
bool Contains(Metric metric, format::Activity activity);

// What formats for signed numbers can hold of a sum.
constexpr int64_t Signed(uint64_t value) {
  return static_cast<int64_t>(std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
}

}  // namespace pyrometer::export_
