// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/distributions.h"

#include <math.h>

#include <algorithm>
#include <cmath>

namespace pyrometer::analyze {
namespace {

// std::lgamma writes a global variable.
double LogGamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// The continued fraction of the incomplete beta function, from its front (Lentz).
double BetaFraction(double a, double b, double x) {
  constexpr int kMostSteps = 500;
  constexpr double kTiny = 1e-300, kEnough = 1e-14;
  const auto never_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / never_zero(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int step = 1; step <= kMostSteps; ++step) {
    const double m = step;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / never_zero(1 + even * d);
    c = never_zero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / never_zero(1 + odd * d);
    c = never_zero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return result;
}

// The regularised incomplete beta function.
double Beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + a * std::log(x) + b * std::log1p(-x));
  // The fraction converges fast on the near side of the mean.
  return x < (a + 1) / (a + b + 2) ? front * BetaFraction(a, b, x) / a
                                   : 1 - front * BetaFraction(b, a, 1 - x) / b;
}

}  // namespace

double StudentP(double t, double freedom) {
  if (std::isnan(t)) return 1;
  if (std::isinf(t)) return 0;
  return Beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double StudentBound(double p, double freedom) {
  double low = 0, high = 1;
  while (StudentP(high, freedom) > p && high < 1e12) high *= 2;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (StudentP(middle, freedom) > p ? low : high) = middle;
  }
  return high;
}

double BinomialP(double some, double all, double share) {
  const double at_least = some <= 0 ? 1 : Beta(some, all - some + 1, share);
  const double at_most = some >= all ? 1 : Beta(all - some, some + 1, 1 - share);
  return std::min(1.0, 2 * std::min(at_least, at_most));
}

}  // namespace pyrometer::analyze
