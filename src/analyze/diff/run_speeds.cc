// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/run_speeds.h"

#include <cmath>

namespace pyrometer::analyze {
namespace {

using metric::Metric;

constexpr double kZ = 1.959963984540054;  // two-sided 95 % of the normal

}  // namespace

RunSpeeds::RunSpeeds(const DiffRows& rows, double relative_noise)
    : rows_(rows), speed_(rows.run_count(), relative_noise), without_(rows.functions().size()) {
  constexpr Metric kCpu = Metric::kCpu;
  for (const DiffRows::Row& row : rows.functions()) {
    std::vector<double> values, variances;
    for (const RunSums* sums : row.runs) {
      const RunSum sum = sums == nullptr ? RunSum{} : (*sums)[kCpu];
      values.push_back(sum.value);
      variances.push_back(sum.value > 0 ? sum.squares / (sum.value * sum.value) : 1);
    }
    speed_.AddRow(values, variances);
  }
}

const std::vector<Speed::Estimate>& RunSpeeds::Without(uint32_t function) {
  if (!without_[function]) without_[function] = Estimates(function);
  return *without_[function];
}

void RunSpeeds::Leave(uint32_t function) {
  speed_.Leave(function);
  for (auto& estimates : without_) estimates.reset();
}

SpeedRatio RunSpeeds::Ratio() const {
  const std::vector<Speed::Estimate> estimates = All();
  double logs[2] = {}, variances[2] = {}, counts[2] = {};
  for (size_t run = 0; run < estimates.size(); ++run) {
    const bool side = rows_.IsNew(run);
    logs[side] += estimates[run].log;
    variances[side] += estimates[run].variance;
    ++counts[side];
  }
  const double log = logs[1] / counts[1] - logs[0] / counts[0];
  const double half = kZ * std::sqrt(variances[0] / (counts[0] * counts[0]) +
                                     variances[1] / (counts[1] * counts[1]));
  return {std::exp(log), std::exp(log - half), std::exp(log + half)};
}

std::vector<Speed::Estimate> RunSpeeds::Estimates(std::optional<size_t> except) const {
  std::vector<Speed::Estimate> estimates;
  for (size_t run = 0; run < rows_.run_count(); ++run) estimates.push_back(speed_.Of(run, except));
  return estimates;
}

}  // namespace pyrometer::analyze
