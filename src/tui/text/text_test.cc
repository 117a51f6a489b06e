// SPDX-License-Identifier: Apache-2.0
#include "tui/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pyrometer::tui {
namespace {

using ::testing::ElementsAre;

TEST(Width, KnowsWideAndCombiningCharacters) {
  EXPECT_EQ(Width("abc"), 3u);
  EXPECT_EQ(Width("日本"), 4u);
  EXPECT_EQ(Width("e\u0301"), 1u);
  EXPECT_EQ(Width("🔥"), 2u);
  EXPECT_EQ(Width("é…█"), 3u);
}

TEST(Fit, FillsOrCuts) {
  EXPECT_EQ(Fit("ab", 4, true), "ab  ");
  EXPECT_EQ(Fit("abcdef", 4, true), "abc…");
  EXPECT_EQ(Fit("abcdef", 4, false), "abc~");
  EXPECT_EQ(Fit("abc", 0, true), "");
}

TEST(Fit, NeverSplitsAWideCharacter) {
  EXPECT_EQ(Fit("日本語", 4, true), "日… ");
  EXPECT_EQ(Width(Fit("日本語", 5, true)), 5u);
}

TEST(CutLeft, KeepsTheEnd) {
  EXPECT_EQ(CutLeft("/a/long/path.py", 8, true), "…path.py");
  EXPECT_EQ(CutLeft("path.py", 8, true), "path.py");
}

TEST(Wrap, BreaksAtBlanksAndIndents) {
  EXPECT_THAT(Wrap("one two three four", 9, true), ElementsAre("one two", "  three", "  four"));
  EXPECT_THAT(Wrap("one", 9, true), ElementsAre("one"));
  EXPECT_THAT(Wrap("", 9, true), ElementsAre());
}

TEST(Wrap, CutsAWordThatIsTooLong) {
  EXPECT_THAT(Wrap("a bcdefghijkl", 6, true), ElementsAre("a", "  bcd…"));
}

TEST(PadLeft, CountsColumns) { EXPECT_EQ(PadLeft("日", 4), "  日"); }

}  // namespace
}  // namespace pyrometer::tui
