// SPDX-License-Identifier: Apache-2.0
#include "tui/text/number.h"

#include <gtest/gtest.h>

namespace pyrometer::tui {
namespace {

TEST(Seconds, NothingIsBlank) {
  EXPECT_EQ(Seconds(0, 3), "");
  EXPECT_EQ(Seconds(1'234'000'000, 2), "1.23");
}

TEST(Percent, ShortButNeverZeroForSomething) {
  EXPECT_EQ(Percent(0), "");
  EXPECT_EQ(Percent(0.01), "<0.1");
  EXPECT_EQ(Percent(6.24), "6.2");
  EXPECT_EQ(Percent(62.04), "62.0");
  EXPECT_EQ(Percent(99.96), "100");
  EXPECT_EQ(Percent(320), "320");
}

TEST(Megabytes, ForColumns) {
  EXPECT_EQ(Megabytes(0), "");
  EXPECT_EQ(Megabytes(100), "<0.1");
  EXPECT_EQ(Megabytes(8.12e6), "8.1");
  EXPECT_EQ(Megabytes(512e6), "512");
  EXPECT_EQ(Megabytes(1'204e6), "1,204");
  EXPECT_EQ(Megabytes(999'999e6), "999,999");
  EXPECT_EQ(Megabytes(1.8e19), "1.8e+13");
}

}  // namespace
}  // namespace pyrometer::tui
