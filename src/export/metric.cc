// SPDX-License-Identifier: Apache-2.0
#include "export/metric.h"

namespace pyrometer::export_ {
namespace {

constexpr std::array<std::string_view, kMetricCount> kNames = {
    "samples",   "cpu",       "python",       "native",      "kernel",   "io_wait",
    "lock_wait", "gil_wait",  "sleep",        "child_wait",  "run_wait", "other_wait",
    "wall",      "allocated", "live_at_peak", "left_at_end", "copied"};

}  // namespace

std::string_view MetricName(Metric metric) { return kNames[static_cast<size_t>(metric)]; }

std::optional<Metric> FindMetric(std::string_view name) {
  for (size_t i = 0; i < kMetricCount; ++i)
    if (kNames[i] == name) return Metric(i);
  return std::nullopt;
}

MetricUnit UnitOf(Metric metric) {
  if (metric == Metric::kSamples) return MetricUnit::kCount;
  return metric <= Metric::kWall ? MetricUnit::kNanoseconds : MetricUnit::kBytes;
}

std::string_view UnitName(MetricUnit unit) {
  constexpr std::string_view kUnits[] = {"count", "nanoseconds", "bytes"};
  return kUnits[static_cast<size_t>(unit)];
}

bool Contains(Metric metric, format::Activity activity) {
  if (metric == Metric::kWall) return true;
  if (metric == Metric::kCpu) return format::IsOnCpu(activity);
  return metric == MetricOf(activity);
}

}  // namespace pyrometer::export_
