// SPDX-License-Identifier: Apache-2.0
#include "tui/text/sparkline.h"

#include <gtest/gtest.h>

#include <vector>

namespace pyrometer::tui {
namespace {

const Ink kUnicode({.unicode = true}), kAscii({});

std::string Line(const std::vector<uint64_t>& values, uint64_t full, size_t cells,
                 const Ink& ink = kAscii) {
  return Sparkline(values, full, cells, ink);
}

TEST(Sparkline, HeightsFollowTheValues) {
  EXPECT_EQ(Line({0, 1, 4, 7, 8}, 8, 5), " :+##");
  EXPECT_EQ(Line({0, 1, 4, 7, 8}, 8, 5, kUnicode), " ▂▅██");
}

TEST(Sparkline, ALittleIsSeen) { EXPECT_EQ(Line({1}, 1'000'000, 1), "."); }

TEST(Sparkline, ManyValuesKeepTheHighest) { EXPECT_EQ(Line({1, 8, 1, 1, 1, 1}, 8, 2), "#:"); }

TEST(Sparkline, FewValuesAreStretched) { EXPECT_EQ(Line({8, 1}, 8, 4), "##::"); }

TEST(Sparkline, MoreThanFullIsFull) { EXPECT_EQ(Line({99}, 8, 1), "#"); }

TEST(Sparkline, NothingIsBlank) {
  EXPECT_EQ(Line({}, 8, 3), "   ");
  EXPECT_EQ(Line({1}, 0, 2), "  ");
}

}  // namespace
}  // namespace pyrometer::tui
