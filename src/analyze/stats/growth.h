// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

// Statistics of whether something keeps growing. docs/internals/memory-math.md
// says what each assumes.
namespace pyrometer::analyze {

// The probability that changes which are as likely up as down, each by its own
// size, add up to at least as much as these do. REQUIRES: at most 30 of them.
double SignFlipP(std::span<const double> changes);

// The probability of at least as many pairs in rising order if every order of
// the values is equally likely (Mann and Kendall's test, with ties).
double RisingP(std::span<const double> values);

// Probabilities of several tests made into those of the whole family: the chance
// that any test of all gives one as small as this by accident (Holm).
std::vector<double> AdjustForMany(std::vector<double> p, size_t tests);

inline constexpr size_t kGrowthWindows = 24;
inline constexpr size_t kHalfWindows = 2 * kGrowthWindows;

// The live bytes of one place, after the warm-up, in windows of equal length.
struct GrowthSeries {
  double begin = 0;                           // at the beginning of the first
  std::array<double, kGrowthWindows> ends{};  // at the end of each
  std::array<double, kHalfWindows> minima{};  // in each half of a window
  double drawdown = 0;  // most that minima of the whole run have ever fallen from one before
};

// The judgement about one place.
struct Growth {
  bool testable = false;  // changed often enough to be judged at all
  bool lasting = false;   // has grown more than it ever fell, and to the end
  double p = 1;           // of growing like that by accident
  double rate = 0;        // by which it grows in one window, with its 95 % interval
  double low_rate = 0;
  double high_rate = 0;
};
Growth JudgeGrowth(const GrowthSeries& series);

}  // namespace pyrometer::analyze
