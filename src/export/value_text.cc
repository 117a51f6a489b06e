// SPDX-License-Identifier: Apache-2.0
#include "export/value_text.h"

#include <fmt/format.h>

#include <array>

namespace pyrometer::export_ {
namespace {

struct Step {
  double size;
  const char* name;
};
constexpr std::array kTimes = {Step{1e9, "s"}, Step{1e6, "ms"}, Step{1e3, "µs"}, Step{1, "ns"}};
constexpr std::array kBytes = {Step{1 << 30, "GiB"}, Step{1 << 20, "MiB"}, Step{1 << 10, "KiB"},
                               Step{1, "B"}};

std::string InSteps(uint64_t value, const auto& steps) {
  const auto real = static_cast<double>(value);
  for (const Step& step : steps)
    if (real >= step.size) return fmt::format("{:.2f} {}", real / step.size, step.name);
  return fmt::format("0 {}", steps.front().name);
}

}  // namespace

std::string ValueText(Metric metric, uint64_t value) {
  switch (UnitOf(metric)) {
    case MetricUnit::kCount:
      return std::to_string(value);
    case MetricUnit::kNanoseconds:
      return InSteps(value, kTimes);
    case MetricUnit::kBytes:
      break;
  }
  return InSteps(value, kBytes);
}

}  // namespace pyrometer::export_
