// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/interval.h"

#include <algorithm>
#include <cmath>

namespace pyrometer::analyze {
namespace {

constexpr double kZ = 1.959963984540054;  // two-sided 95 % of the normal

// The number of equal samples that would give the same variance: by the
// weights of all samples, or by those that fell on the part where these are
// heavier. The part's own weights alone would be too few to go by; trusting
// them gave intervals that held the truth 74 % of the time in the worst case.
double EffectiveSamples(double share, WeightSums part, WeightSums whole) {
  const double by_whole = whole.sum * whole.sum / whole.squares;
  const double rest_squares = std::max(0.0, whole.squares - part.squares);
  const double variance =
      ((1 - share) * (1 - share) * part.squares + share * share * rest_squares) /
      (whole.sum * whole.sum);
  const double binomial = share * (1 - share);
  if (binomial <= 0 || variance <= 0) return by_whole;
  return std::min(by_whole, binomial / variance);
}

}  // namespace

Interval ShareInterval(WeightSums part, WeightSums whole) {
  if (!(whole.sum > 0) || !(whole.squares > 0)) return {part.sum, part.sum};
  const double share = std::clamp(part.sum / whole.sum, 0.0, 1.0);
  const double n = EffectiveSamples(share, part, whole);
  const double z2n = kZ * kZ / n;
  const double centre = (share + z2n / 2) / (1 + z2n);
  const double half = kZ / (1 + z2n) * std::sqrt(share * (1 - share) / n + z2n / (4 * n));
  // Rounding must not push the estimate itself out of its interval.
  const double low = std::clamp(centre - half, 0.0, share);
  const double high = std::clamp(centre + half, share, 1.0);
  return {low * whole.sum, high * whole.sum};
}

}  // namespace pyrometer::analyze
