// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/line_match.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace pyrometer::analyze {
namespace {

using Lines = std::vector<std::string>;

// One letter for each line; of the new lines, the old line that they were, or '-'.
std::string Matched(const std::string& old_text, const std::string& new_text) {
  Lines old_lines, new_lines;
  for (const char c : old_text) old_lines.emplace_back(1, c);
  for (const char c : new_text) new_lines.emplace_back(1, c);
  std::string matched;
  for (const auto& line : MatchLines(old_lines, new_lines))
    matched += line ? static_cast<char>('0' + *line) : '-';
  return matched;
}

TEST(MatchLinesTest, LinesThatMoveDownAreTheSame) {
  EXPECT_EQ(Matched("abc", "abc"), "012");
  EXPECT_EQ(Matched("abc", "xyabc"), "--012");
  EXPECT_EQ(Matched("abc", "abxc"), "01-2");
  EXPECT_EQ(Matched("abcd", "ad"), "03");
}

TEST(MatchLinesTest, ALineInTheSamePlaceHasChanged) {
  EXPECT_EQ(Matched("abc", "axc"), "012");
  EXPECT_EQ(Matched("abcd", "axyd"), "0123");
  EXPECT_EQ(Matched("abcd", "axd"), "0-3");  // which of the two it was is not known
}

TEST(MatchLinesTest, NothingInCommon) {
  EXPECT_EQ(Matched("", "ab"), "--");
  EXPECT_EQ(Matched("ab", ""), "");
  EXPECT_EQ(Matched("abc", "xy"), "--");
}

TEST(MatchLinesTest, IndentationDoesNotCount) {
  const Lines old_lines = {"if x:", "    f()", "g()"}, new_lines = {"f()  ", "\tg()"};
  const auto found = MatchLines(old_lines, new_lines);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], 1u);
  EXPECT_EQ(found[1], 2u);
}

TEST(MatchLinesTest, LongTextsAreMatchedByLinesThatAreUnique) {
  Lines old_lines, new_lines;
  for (int i = 0; i < 5000; ++i) {
    old_lines.push_back(i % 3 == 0 ? "pass" : "x = " + std::to_string(i));
    if (i == 100 || i == 4000) new_lines.insert(new_lines.end(), 3, "inserted()");
    if (i != 2500) new_lines.push_back(old_lines.back());
  }
  new_lines.insert(new_lines.begin(), "first()");
  new_lines.emplace_back("last()");
  const auto found = MatchLines(old_lines, new_lines);
  EXPECT_EQ(found[1], 0u);
  EXPECT_EQ(found[1 + 50], 50u);
  EXPECT_EQ(found[1 + 3 + 2000], 2000u);
  EXPECT_EQ(found[1 + 3 + 3000 - 1], 3000u);
  EXPECT_EQ(found[1 + 3 + 3 + 4500 - 1], 4500u);
  EXPECT_FALSE(found[0]);
}

TEST(MatchLinesTest, IndicesRiseWhateverTheText) {
  uint32_t state = 1;
  const auto next = [&] { return (state = state * 1664525 + 1013904223) >> 24; };
  for (int round = 0; round < 200; ++round) {
    std::string old_text, new_text;
    for (uint32_t i = next() % 12; i > 0; --i) old_text += static_cast<char>('a' + next() % 4);
    for (uint32_t i = next() % 12; i > 0; --i) new_text += static_cast<char>('a' + next() % 4);
    char last = 0;
    for (const char c : Matched(old_text, new_text)) {
      if (c == '-') continue;
      EXPECT_GT(c, last) << old_text << " " << new_text;
      last = c;
    }
  }
}

TEST(LikenessTest, CountsLinesInCommon) {
  EXPECT_EQ(Likeness(Lines{"a", "b"}, Lines{"  b", "", "a"}), 1);
  EXPECT_EQ(Likeness(Lines{"a", "b"}, Lines{"a", "c"}), 0.5);
  EXPECT_EQ(Likeness(Lines{"a"}, Lines{"a", "a", "a"}), 0.5);
  EXPECT_EQ(Likeness(Lines{}, Lines{}), 0);
}

}  // namespace
}  // namespace pyrometer::analyze
