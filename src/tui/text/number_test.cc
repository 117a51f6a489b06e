// SPDX-License-Identifier: Apache-2.0
#include "tui/text/number.h"

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

TEST(Bytes, ThreeFiguresOrSo) {
  EXPECT_EQ(Bytes(0), "0 B");
  EXPECT_EQ(Bytes(999), "999 B");
  EXPECT_EQ(Bytes(1500), "1.5 kB");
  EXPECT_EQ(Bytes(16'700), "17 kB");
  EXPECT_EQ(Bytes(999'600), "1.0 MB");
  EXPECT_EQ(Bytes(512'000'000), "512 MB");
  EXPECT_EQ(Bytes(1'204'000'000), "1.20 GB");
  EXPECT_EQ(Bytes(1'204'000'000'000), "1,204 GB");
  EXPECT_EQ(Bytes(~uint64_t{0}), "1.8e+10 GB");
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
