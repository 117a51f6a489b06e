// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/speed.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pyrometer::analyze {
namespace {

// By how much the speed of machines differs, before any run is looked at: the same
// build machine is hardly ever three times that much off.
constexpr double kPriorDeviation = 0.1;
// A value that is known less well than this says nothing.
constexpr double kMostRelativeVariance = 0.1;
// Values farther off than this many deviations count less, so that a row that has
// changed and was not noticed cannot pull the rest along (Huber).
constexpr double kFar = 1.345;
constexpr int kRounds = 20;
constexpr double kEnough = 1e-9;

struct Witness {
  double log;
  double weight;
};

double WeightedMedian(std::vector<Witness> witnesses) {
  std::sort(witnesses.begin(), witnesses.end(),
            [](const Witness& a, const Witness& b) { return a.log < b.log; });
  double half = 0;
  for (const Witness& witness : witnesses) half += witness.weight / 2;
  for (const Witness& witness : witnesses)
    if ((half -= witness.weight) <= 0) return witness.log;
  return 0;
}

}  // namespace

void Speed::AddRow(const std::vector<double>& values,
                   const std::vector<double>& relative_variances) {
  Row row;
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(runs_);
  row.used = true;
  for (size_t run = 0; run < runs_; ++run) {
    row.used = row.used && values[run] > 0 && relative_variances[run] <= kMostRelativeVariance;
    row.logs.push_back(row.used ? std::log(values[run] / mean) : 0);
    row.variances.push_back(relative_variances[run] + noise_ * noise_);
  }
  rows_.push_back(std::move(row));
}

Speed::Estimate Speed::Of(size_t run, std::optional<size_t> except) const {
  std::vector<Witness> witnesses;
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].used && i != except)
      witnesses.push_back({rows_[i].logs[run], 1 / rows_[i].variances[run]});
  constexpr double kPriorWeight = 1 / (kPriorDeviation * kPriorDeviation);
  double log = WeightedMedian(witnesses);
  double weights = 0;
  for (int round = 0; round < kRounds; ++round) {
    double sum = 0;
    weights = kPriorWeight;
    for (const Witness& witness : witnesses) {
      const double off = std::abs(witness.log - log) * std::sqrt(witness.weight);
      const double weight = off <= kFar ? witness.weight : witness.weight * kFar / off;
      sum += weight * witness.log;
      weights += weight;
    }
    const double before = std::exchange(log, sum / weights);
    if (std::abs(log - before) < kEnough) break;
  }
  return {log, 1 / weights};
}

}  // namespace pyrometer::analyze
