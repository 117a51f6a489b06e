// SPDX-License-Identifier: Apache-2.0
#include "tui/number.h"

#include <gtest/gtest.h>

namespace pyrometer::tui {
namespace {

TEST(Duration, ThreeFiguresAndAUnit) {
  EXPECT_EQ(Duration(0), "0.0 ms");
  EXPECT_EQ(Duration(8'040'000), "8.0 ms");
  EXPECT_EQ(Duration(120'000'000), "120 ms");
  EXPECT_EQ(Duration(999'600'000), "1.00 s");
  EXPECT_EQ(Duration(3'412'000'000), "3.41 s");
  EXPECT_EQ(Duration(9'996'000'000), "10.0 s");
  EXPECT_EQ(Duration(1'234'500'000'000), "1,235 s");
}

TEST(Seconds, NothingIsBlank) {
  EXPECT_EQ(Seconds(0, 3), "");
  EXPECT_EQ(Seconds(1'234'000'000, 2), "1.23");
}

TEST(Percent, ShortButNeverZeroForSomething) {
  EXPECT_EQ(Percent(0), "");
  EXPECT_EQ(Percent(0.01), "<0.1");
  EXPECT_EQ(Percent(6.24), "6.2");
  EXPECT_EQ(Percent(9.96), "10");
  EXPECT_EQ(Percent(320), "320");
}

TEST(Count, HasThousands) {
  EXPECT_EQ(Count(0), "0");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1'204), "1,204");
  EXPECT_EQ(Count(1'000'000), "1,000,000");
}

}  // namespace
}  // namespace pyrometer::tui
