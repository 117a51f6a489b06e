// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace pyrometer::analyze {
namespace {

constexpr double kWeight = 0.01;

WeightSums Equal(int samples, double weight = kWeight) {
  return {samples * weight, samples * weight * weight};
}

// Throws samples at a cell of known share many times, and says how often the
// interval holds the truth. `draw` gives a sample's weight.
template <class Draw>
double Coverage(double share, int samples, Draw draw) {
  constexpr int kRuns = 4000;
  std::mt19937_64 random(20240607);
  std::bernoulli_distribution hit(share);
  int covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    WeightSums part, whole;
    for (int i = 0; i < samples; ++i) {
      const double w = draw(random);
      whole = {whole.sum + w, whole.squares + w * w};
      if (hit(random)) part = {part.sum + w, part.squares + w * w};
    }
    const Interval interval = ShareInterval(part, whole);
    const double truth = share * whole.sum;
    covered += interval.low <= truth && truth <= interval.high;
  }
  return static_cast<double>(covered) / kRuns;
}

TEST(ShareInterval, CoversTheTruthWithEqualWeights) {
  const auto equal = [](auto&) { return kWeight; };
  for (const double share : {0.02, 0.1, 0.5, 0.9}) {
    const double coverage = Coverage(share, 300, equal);
    EXPECT_GT(coverage, 0.93) << share;
    EXPECT_LT(coverage, 0.98) << share;
  }
}

TEST(ShareInterval, CoversTheTruthWithUnequalWeights) {
  std::exponential_distribution<double> exponential(1 / kWeight);
  for (const double share : {0.05, 0.3, 0.7}) {
    const double coverage = Coverage(share, 300, [&](auto& random) { return exponential(random); });
    EXPECT_GT(coverage, 0.93) << share;
    EXPECT_LT(coverage, 0.985) << share;
  }
}

TEST(ShareInterval, CoversTheTruthWithAFewLateSamples) {
  std::bernoulli_distribution late(0.03);
  for (const double share : {0.05, 0.3, 0.7}) {
    const double coverage =
        Coverage(share, 300, [&](auto& random) { return late(random) ? 20 * kWeight : kWeight; });
    EXPECT_GT(coverage, 0.93) << share;
    EXPECT_LT(coverage, 0.99) << share;
  }
}

// The page is tested against the same intervals: tests/corpus/README.md.
TEST(ShareInterval, IsThatOfTheCorpus) {
  std::ifstream file(PYRO_INTERVALS);
  const nlohmann::json cases = nlohmann::json::parse(file)["shares"];
  ASSERT_GT(cases.size(), 5u);
  for (const nlohmann::json& a_case : cases) {
    const nlohmann::json &part = a_case["part"], &whole = a_case["whole"];
    const Interval interval = ShareInterval({part[0], part[1]}, {whole[0], whole[1]});
    const double near = 1e-9 * whole[0].get<double>();
    EXPECT_NEAR(interval.low, a_case["low"], near) << a_case.dump();
    EXPECT_NEAR(interval.high, a_case["high"], near) << a_case.dump();
  }
}

TEST(ShareInterval, NarrowsWithTheRootOfTheSampleCount) {
  const Interval few = ShareInterval(Equal(50), Equal(100));
  const Interval many = ShareInterval(Equal(5000, kWeight / 100), Equal(10000, kWeight / 100));
  EXPECT_NEAR((few.high - few.low) / (many.high - many.low), 10, 0.3);
}

TEST(ShareInterval, OneHeavySampleIsKnownPoorly) {
  const WeightSums heavy = {0.5, 0.5 * 0.5};
  const WeightSums whole = {heavy.sum + Equal(50).sum, heavy.squares + Equal(50).squares};
  const Interval light = ShareInterval(Equal(50), Equal(100));
  const Interval one = ShareInterval(heavy, whole);
  EXPECT_GT(one.high - one.low, 3 * (light.high - light.low));
}

TEST(ShareInterval, NothingAndEverythingStayUncertain) {
  const Interval none = ShareInterval({}, Equal(100));
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.037, 0.001);
  const Interval all = ShareInterval(Equal(100), Equal(100));
  EXPECT_NEAR(all.low, 0.963, 0.001);
  EXPECT_DOUBLE_EQ(all.high, 1.0);
}

TEST(ShareInterval, IsFiniteForAnythingAtAll) {
  const double huge = 1.8e19;
  for (const WeightSums part : {WeightSums{}, Equal(1), WeightSums{huge, huge * huge}}) {
    for (const WeightSums whole : {WeightSums{}, Equal(1), WeightSums{huge, huge * huge}}) {
      const Interval interval = ShareInterval(part, whole);
      EXPECT_TRUE(std::isfinite(interval.low) && std::isfinite(interval.high));
      EXPECT_LE(interval.low, interval.high);
    }
  }
}

}  // namespace
}  // namespace pyrometer::analyze
