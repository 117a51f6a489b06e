// SPDX-License-Identifier: Apache-2.0
#include "import/json/json_number.h"

#include <gtest/gtest.h>

namespace pyrometer::import_ {
namespace {

TEST(JsonNumber, ScaledExactly) {
  EXPECT_EQ(ScaledNumber("1789012345678901.234", 3), 1789012345678901234);
  EXPECT_EQ(ScaledNumber("-12.5", 3), -12500);
  EXPECT_EQ(ScaledNumber("1.5e3", 0), 1500);
  EXPECT_EQ(ScaledNumber("25E-4", 3), 3);  // 2.5, rounded
  EXPECT_EQ(ScaledNumber("0.0004", 3), 0);
  EXPECT_EQ(ScaledNumber("0.0005", 3), 1);
  EXPECT_EQ(ScaledNumber("0.1000000000000000055511151231257827", 9), 100'000'000);
  EXPECT_EQ(ScaledNumber("0e999999", 3), 0);
  EXPECT_EQ(ScaledNumber("1e-999999", 3), 0);
  EXPECT_EQ(ScaledNumber("123456789012345678901234e-20", 0), 1235);
}

TEST(JsonNumber, WhatIsNoNumberOrTooLargeIsRefused) {
  for (const char* text : {"", "-", ".", "e5", "1x", "NaN", "Infinity", "1e", "1e99999999999",
                           "1e19", "9999999999999999999", "123456789012345678901"})
    EXPECT_EQ(ScaledNumber(text, 0), std::nullopt) << text;
  EXPECT_EQ(ScaledNumber("5000000000000000", 3), std::nullopt);
}

TEST(JsonNumber, RealsAndAmounts) {
  EXPECT_EQ(RealNumber("2.5e-1"), 0.25);
  for (const char* text : {"", "NaN", "Infinity", "-Infinity", "1e999", "1 2"})
    EXPECT_EQ(RealNumber(text), std::nullopt) << text;
  EXPECT_EQ(Amount(0.01, 1e9), 10'000'000u);
  EXPECT_EQ(Amount(-1), std::nullopt);
  EXPECT_EQ(Amount(1e300), std::nullopt);
  EXPECT_EQ(Amount(0.0 / 0.0), std::nullopt);
}

}  // namespace
}  // namespace pyrometer::import_
