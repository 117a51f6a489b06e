// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/growth.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pyrometer::analyze {
namespace {

// Below this, no order of signs is rare enough to say anything.
constexpr size_t kLeastMoves = 10;
// Growth that has nearly stopped in the last quarter was a long warm-up.
constexpr double kLeastLateShare = 1.0 / 16;
// Two-sided 95 % of Student's t with kGrowthWindows - 2 degrees of freedom.
constexpr double kT = 2.074;

double UpperTail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

// The sums of all choices of signs, sorted: those with one sign of the next change merged with
// those that have the other, because to sort them took a sixth of a large report.
std::vector<double> SignedSums(std::span<const double> changes) {
  std::vector<double> sums = {0}, low, high;
  for (const double change : changes) {
    const double size = std::abs(change);
    low = high = sums;
    for (double& sum : low) sum -= size;
    for (double& sum : high) sum += size;
    sums.resize(2 * low.size());
    std::ranges::merge(low, high, sums.begin());
  }
  return sums;
}

size_t Moves(std::span<const double> changes) {
  return changes.size() - static_cast<size_t>(std::count(changes.begin(), changes.end(), 0.0));
}

// The mean of changes and its interval, as if they were independent.
void SetRate(std::span<const double> changes, Growth& growth) {
  const double n = static_cast<double>(changes.size());
  const double mean = std::accumulate(changes.begin(), changes.end(), 0.0) / n;
  double squares = 0;
  for (const double change : changes) squares += (change - mean) * (change - mean);
  const double half = kT * std::sqrt(squares / (n - 1) / n);
  growth.rate = mean;
  growth.low_rate = std::max(0.0, mean - half);
  growth.high_rate = mean + half;
}

}  // namespace

double SignFlipP(std::span<const double> changes) {
  const double sum = std::accumulate(changes.begin(), changes.end(), 0.0);
  double size = 0;
  for (const double change : changes) size += std::abs(change);
  const double wanted = sum - 1e-12 * size;  // equal sums are not told apart by rounding
  // All sums of both halves against each other, without making them all.
  const size_t half = changes.size() / 2;
  const std::vector<double> left = SignedSums(changes.first(half));
  const std::vector<double> right = SignedSums(changes.subspan(half));
  double count = 0;
  size_t needed = right.size();
  for (const double a : left) {
    while (needed > 0 && a + right[needed - 1] >= wanted) --needed;
    count += static_cast<double>(right.size() - needed);
  }
  return count / (static_cast<double>(left.size()) * static_cast<double>(right.size()));
}

double RisingP(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  double rising = 0;
  std::map<double, double> ties;
  for (size_t i = 0; i < values.size(); ++i) {
    ++ties[values[i]];
    for (size_t j = 0; j < i; ++j)
      rising += values[i] > values[j] ? 1 : values[i] < values[j] ? -1 : 0;
  }
  double variance = n * (n - 1) * (2 * n + 5);
  for (const auto& [value, count] : ties) variance -= count * (count - 1) * (2 * count + 5);
  if (rising <= 0 || variance <= 0) return 1;
  return UpperTail((rising - 1) / std::sqrt(variance / 18));
}

std::vector<double> AdjustForMany(std::vector<double> p, size_t tests) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  double largest = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const double left = static_cast<double>(std::max(tests, p.size()) - i);
    largest = std::max(largest, std::min(1.0, left * p[order[i]]));
    p[order[i]] = largest;
  }
  return p;
}

Growth JudgeGrowth(const GrowthSeries& series) {
  std::array<double, kGrowthWindows> by_ends, by_halves, minima;
  std::array<double, kGrowthWindows - 1> rises;
  for (size_t i = 0; i < kGrowthWindows; ++i) {
    by_ends[i] = series.ends[i] - (i == 0 ? series.begin : series.ends[i - 1]);
    by_halves[i] = series.minima[2 * i + 1] - series.minima[2 * i];
    minima[i] = std::min(series.minima[2 * i], series.minima[2 * i + 1]);
    if (i > 0) rises[i - 1] = minima[i] - minima[i - 1];
  }
  Growth growth;
  growth.testable = std::max(Moves(by_ends), Moves(by_halves)) >= kLeastMoves;
  const double rise = minima.back() - minima.front();
  const double late = minima.back() - minima[kGrowthWindows * 3 / 4];
  growth.lasting = rise > 0 && rise >= series.drawdown && late >= kLeastLateShare * rise;
  if (!growth.testable || !growth.lasting) return growth;
  // The better of two tests counts twice.
  const double flips = 2 * std::min(SignFlipP(by_ends), SignFlipP(by_halves));
  growth.p = std::min(1.0, std::max(flips, RisingP(minima)));
  SetRate(rises, growth);
  return growth;
}

}  // namespace pyrometer::analyze
