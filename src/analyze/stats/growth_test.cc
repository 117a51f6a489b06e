// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pyrometer::analyze {
namespace {

TEST(SignFlipP, AllUpIsOneOrderOfAll) {
  EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>(10, 3.0)), std::pow(0.5, 10));
  EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>(24, 1e18)), std::pow(0.5, 24));
}

TEST(SignFlipP, AllDownIsCertain) { EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>(9, -1.0)), 1); }

TEST(SignFlipP, NothingSaysNothing) {
  EXPECT_DOUBLE_EQ(SignFlipP({}), 1);
  EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>(8, 0.0)), 1);
}

TEST(SignFlipP, ZerosDoNotCount) {
  EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>{0, 2, 0, 2, 2, 0}), 1.0 / 8);
}

// 3 + 2 - 1 = 4: so are +3+2-1 and +3+2+1 of eight.
TEST(SignFlipP, CountsSumsAtLeastAsLarge) {
  EXPECT_DOUBLE_EQ(SignFlipP(std::vector<double>{3, -1, 2}), 2.0 / 8);
}

// A probability of at most x comes up at most x of the time.
TEST(SignFlipP, IsHonestAboutRandomWalks) {
  std::mt19937_64 random(1);
  std::cauchy_distribution<double> wild;
  int below = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> changes(16);
    for (double& change : changes) change = wild(random);
    below += SignFlipP(changes) <= 0.05;
  }
  EXPECT_NEAR(below, 200, 45);
}

TEST(RisingP, RisingIsRareFallingIsNot) {
  EXPECT_LT(RisingP(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}), 1e-3);
  EXPECT_EQ(RisingP(std::vector<double>{8, 7, 6, 5, 4, 3, 2, 1}), 1);
  EXPECT_EQ(RisingP(std::vector<double>(8, 5.0)), 1);
}

TEST(RisingP, IsHonestAboutNoiseWithTies) {
  std::mt19937_64 random(2);
  int below = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> values(24);
    for (double& value : values) value = static_cast<double>(random() % 4);
    below += RisingP(values) <= 0.05;
  }
  EXPECT_LE(below, 230);
  EXPECT_GE(below, 140);
}

TEST(AdjustForMany, MultipliesByTheTestsThatAreLeft) {
  const std::vector<double> p = AdjustForMany({0.02, 0.001}, 10);
  EXPECT_DOUBLE_EQ(p[1], 0.01);
  EXPECT_DOUBLE_EQ(p[0], 0.18);
}

TEST(AdjustForMany, NeverPutsAnEarlierOneBehind) {
  const std::vector<double> p = AdjustForMany({0.01, 0.0101, 0.9}, 3);
  EXPECT_DOUBLE_EQ(p[0], 0.03);
  EXPECT_DOUBLE_EQ(p[1], 0.03);
  EXPECT_DOUBLE_EQ(p[2], 0.9);
}

class JudgeGrowthTest : public ::testing::Test {
 protected:
  // Live bytes at each half window.
  template <class Live>
  static GrowthSeries Series(Live live) {
    GrowthSeries series;
    series.begin = live(-1);
    for (int i = 0; i < static_cast<int>(kHalfWindows); ++i) {
      series.minima[static_cast<size_t>(i)] = live(i);
      if (i % 2 == 1) series.ends[static_cast<size_t>(i / 2)] = live(i);
    }
    return series;
  }
};

TEST_F(JudgeGrowthTest, SteadyRiseIsFound) {
  const Growth growth = JudgeGrowth(Series([](int i) { return 100.0 + 3 * i; }));
  EXPECT_TRUE(growth.lasting);
  EXPECT_LT(growth.p, 1e-6);
  EXPECT_DOUBLE_EQ(growth.rate, 6);
  EXPECT_LE(growth.low_rate, growth.rate);
  EXPECT_GE(growth.high_rate, growth.rate);
}

TEST_F(JudgeGrowthTest, WarmUpThatEndsLateIsNotLasting) {
  EXPECT_FALSE(JudgeGrowth(Series([](int i) { return std::min(30.0, 1.0 + i); })).lasting);
}

TEST_F(JudgeGrowthTest, WhatHasEverFallenAsFarIsNotLasting) {
  GrowthSeries series = Series([](int i) { return 100.0 + i; });
  series.drawdown = 1000;
  EXPECT_FALSE(JudgeGrowth(series).lasting);
}

TEST_F(JudgeGrowthTest, AFewStepsAreNotTested) {
  EXPECT_FALSE(JudgeGrowth(Series([](int i) { return std::floor(i / 12.0); })).testable);
}

}  // namespace
}  // namespace pyrometer::analyze
