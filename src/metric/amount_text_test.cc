// SPDX-License-Identifier: Apache-2.0
#include "metric/amount_text.h"

#include <gtest/gtest.h>

namespace pyrometer::metric {
namespace {

TEST(AmountTextTest, HasThreeDigitsThatCount) {
  const Info& time = InfoOf(Metric::kCpu);
  EXPECT_EQ(AmountText(time, 0), "0 s");
  EXPECT_EQ(AmountText(time, 7), "7 ns");
  EXPECT_EQ(AmountText(time, 1'500), "1.50 us");
  EXPECT_EQ(AmountText(time, 120e6), "120 ms");
  EXPECT_EQ(AmountText(time, -1.25e9), "-1.25 s");
  EXPECT_EQ(AmountText(time, 999.7e6), "1.00 s");
}

TEST(AmountTextTest, MegabytesAreMillions) {
  const Info& memory = InfoOf(Metric::kLiveAtPeak);
  EXPECT_EQ(AmountText(memory, 0), "0 B");
  EXPECT_EQ(AmountText(memory, 999), "999 B");
  EXPECT_EQ(AmountText(memory, 1 << 20), "1.05 MB");
  EXPECT_EQ(AmountText(memory, 8e9), "8.00 GB");
}

TEST(AmountTextTest, CountsAreWhole) {
  EXPECT_EQ(AmountText(InfoOf(Metric::kSamples), 1234), "1234");
}

}  // namespace
}  // namespace pyrometer::metric
