// SPDX-License-Identifier: Apache-2.0
#include "analyze/stats/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pyrometer::analyze {
namespace {

// Bounds of the two-sided t as tables of it have them.
TEST(StudentTest, AgreesWithTables) {
  EXPECT_NEAR(StudentP(2.776, 4), 0.05, 1e-4);
  EXPECT_NEAR(StudentP(2.228, 10), 0.05, 1e-4);
  EXPECT_NEAR(StudentP(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(StudentP(1.96, 1e7), 0.05, 1e-4);
  EXPECT_NEAR(StudentP(3.169, 10), 0.01, 1e-4);
}

TEST(StudentTest, IsOneAtTheMiddleAndFallsOutwards) {
  EXPECT_NEAR(StudentP(0, 5), 1, 1e-12);
  EXPECT_EQ(StudentP(3, 5), StudentP(-3, 5));
  EXPECT_GT(StudentP(3, 5), StudentP(4, 5));
  EXPECT_EQ(StudentP(HUGE_VAL, 5), 0);
  EXPECT_EQ(StudentP(std::nan(""), 5), 1);
  EXPECT_GT(StudentP(50, 10), 0);
}

TEST(StudentTest, BoundIsTheInverse) {
  for (const double freedom : {1.0, 4.0, 10.0, 60.0})
    for (const double p : {0.9, 0.05, 0.001, 1e-7})
      EXPECT_NEAR(StudentP(StudentBound(p, freedom), freedom), p, p * 1e-6) << freedom << " " << p;
}

TEST(BinomialTest, CountsBothTails) {
  EXPECT_NEAR(BinomialP(0, 5, 0.5), 2 * std::pow(0.5, 5), 1e-12);
  EXPECT_NEAR(BinomialP(5, 5, 0.5), 2 * std::pow(0.5, 5), 1e-12);
  EXPECT_EQ(BinomialP(5, 10, 0.5), 1);
  // 1 + 10 of 1,024 ways have at most one.
  EXPECT_NEAR(BinomialP(1, 10, 0.5), 2 * 11.0 / 1024, 1e-12);
  EXPECT_NEAR(BinomialP(0, 10, 0.25), 2 * std::pow(0.75, 10), 1e-12);
}

}  // namespace
}  // namespace pyrometer::analyze
