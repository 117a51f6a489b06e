// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/memory_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace pyrometer::analyze {
namespace {

constexpr double kInterval = 65536;

// One sampled block of `bytes` as the recorder weighs it.
MemorySum Weighed(double bytes) {
  const double p = 1 - std::exp(-bytes / kInterval);
  MemorySum sum;
  sum.bytes = static_cast<uint64_t>(bytes / p + 0.5);
  sum.samples = 1;
  sum.variance = bytes * bytes * (1 - p) / (p * p);
  return sum;
}

TEST(MemorySum, ExactAmountsHaveNoInterval) {
  MemorySum sum;
  sum.Add(format::MemoryAmount{.bytes = 512 << 20, .blocks = 1, .samples = 1});
  EXPECT_EQ(sum.Range().low, 512 << 20);
  EXPECT_EQ(sum.Range().high, 512 << 20);
}

// The page is tested against the same intervals: tests/corpus/README.md.
TEST(MemorySum, ItsIntervalIsThatOfTheCorpus) {
  std::ifstream file(PYRO_INTERVALS);
  const nlohmann::json cases = nlohmann::json::parse(file)["bytes"];
  ASSERT_GT(cases.size(), 5u);
  for (const nlohmann::json& a_case : cases) {
    MemorySum sum;
    sum.bytes = a_case["bytes"];
    sum.variance = a_case["variance"];
    sum.whole_variance = a_case["pieces"];
    const double near = 1e-9 * static_cast<double>(sum.bytes);
    EXPECT_NEAR(sum.Range().low, a_case["low"], near) << a_case.dump();
    EXPECT_NEAR(sum.Range().high, a_case["high"], near) << a_case.dump();
  }
}

TEST(MemorySum, IsAnAmountAgain) {
  const format::MemoryAmount amount{
      .bytes = 1 << 20, .blocks = 9, .samples = 2, .variance_kib2 = 77};
  MemorySum sum;
  sum.Add(amount);
  EXPECT_EQ(sum.amount().bytes, amount.bytes);
  EXPECT_EQ(sum.amount().blocks, amount.blocks);
  EXPECT_EQ(sum.amount().samples, amount.samples);
  EXPECT_EQ(sum.amount().variance_kib2, amount.variance_kib2);
}

TEST(MemorySum, OneSampleCouldBeMuchLessOrMore) {
  const Interval range = Weighed(64).Range();
  EXPECT_GT(range.low, 0);
  EXPECT_LT(range.low, 0.3 * kInterval);
  EXPECT_GT(range.high, 5 * kInterval);
}

TEST(MemorySum, WhatIsRemovedIsGoneWithItsVariance) {
  const format::MemoryAmount amount{
      .bytes = 1 << 20, .blocks = 9, .samples = 2, .variance_kib2 = 77};
  MemorySum sum;
  sum.Add(amount);
  sum.Remove(amount);
  EXPECT_TRUE(sum.empty());
  EXPECT_EQ(sum.variance, 0);
  sum.Remove(amount);
  EXPECT_EQ(sum.bytes, 0u);
}

// Blocks of one size, so many that `expected` are sampled on average.
class CoverageTest : public ::testing::TestWithParam<std::pair<double, double>> {};

TEST_P(CoverageTest, TheIntervalHoldsTheTruthNineteenTimesOfTwenty) {
  const auto [size, expected] = GetParam();
  const double p = 1 - std::exp(-size / kInterval);
  const int blocks = static_cast<int>(expected / p + 0.5);
  const double truth = blocks * size;
  std::mt19937_64 random(7);
  int held = 0;
  double mean = 0;
  constexpr int kRuns = 3000;
  for (int run = 0; run < kRuns; ++run) {
    MemorySum sum;
    for (int sampled = std::binomial_distribution<int>(blocks, p)(random); sampled > 0; --sampled)
      sum.Add(Weighed(size));
    held += sum.Range().low <= truth && truth <= sum.Range().high;
    mean += static_cast<double>(sum.bytes) / kRuns;
  }
  EXPECT_GE(held, 0.92 * kRuns);
  RecordProperty("held", held);
  EXPECT_NEAR(mean / truth, 1, 4 / std::sqrt(expected * kRuns));
}

INSTANTIATE_TEST_SUITE_P(Sizes, CoverageTest,
                         ::testing::Values(std::pair(64.0, 4.0), std::pair(64.0, 30.0),
                                           std::pair(20e3, 10.0), std::pair(100e3, 10.0),
                                           std::pair(200e3, 40.0)));

}  // namespace
}  // namespace pyrometer::analyze
