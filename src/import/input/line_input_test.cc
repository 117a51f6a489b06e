// SPDX-License-Identifier: Apache-2.0
#include "import/input/line_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace pyrometer::import_ {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  ByteInput bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  LineInput input(bytes);
  std::vector<std::string> lines;
  while (const auto line = input.Next()) lines.emplace_back(*line);
  EXPECT_EQ(input.number(), lines.size());
  return lines;
}

TEST(LineInput, SplitsAtEndsOfEitherKind) {
  EXPECT_THAT(Lines("a\nb\r\n\nc"), ::testing::ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(Lines(""), ::testing::ElementsAre());
  EXPECT_THAT(Lines("\n"), ::testing::ElementsAre(""));
}

TEST(LineInput, JoinsWhatPiecesDivide) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 20; ++i) {
    expected.push_back(std::string(100'000 + i, static_cast<char>('a' + i)));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(Lines(text), expected);
}

TEST(LineInput, EndsWhereTheTextDoes) {
  const std::string text{"a 1\nb 2\nc\0 3\nd 4\n", 17};
  ByteInput bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  LineInput input(bytes);
  EXPECT_EQ(input.Next(), "a 1");
  EXPECT_TRUE(input.Next());
  EXPECT_FALSE(input.Next());
  EXPECT_FALSE(input.Next());
  EXPECT_EQ(input.status().error().message, "line 3 has a byte 0, it is no text");
}

}  // namespace
}  // namespace pyrometer::import_
