// SPDX-License-Identifier: Apache-2.0
#include "cpython/line_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpython/frame_walk.h"

namespace pyrometer::cpython {
namespace {

class LineTableTest : public testing::Test {
 protected:
  int LineAt(LineTableKind kind, uint32_t instruction) {
    return PositionAt(kind, table_, 10, instruction).line;
  }
  Position At(uint32_t instruction) {
    return PositionAt(LineTableKind::kLocations, table_, 10, instruction);
  }

  std::vector<uint8_t> table_;
};

TEST_F(LineTableTest, LnotabDeltaTakesEffectAtItsAddress) {
  table_ = {4, 1, 2, 255, 2, 5};
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 0), 10);
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 2), 10);
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 4), 11);
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 6), 10);
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 100), 15);
}

TEST_F(LineTableTest, LnotabSplitsLargeSteps) {
  table_ = {255, 0, 45, 127, 0, 3};
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 298), 10);
  EXPECT_EQ(LineAt(LineTableKind::kLnotab, 300), 140);
}

TEST_F(LineTableTest, PairsCoverTheirOwnBytes) {
  table_ = {4, 1, 2, 128, 0, 5, 4, 2};
  EXPECT_EQ(LineAt(LineTableKind::kPairs, 2), 11);
  EXPECT_EQ(LineAt(LineTableKind::kPairs, 4), 0) << "-128 is no line";
  EXPECT_EQ(LineAt(LineTableKind::kPairs, 6), 18) << "an empty pair still moves the line";
  EXPECT_EQ(LineAt(LineTableKind::kPairs, 10), 0) << "beyond the table";
}

TEST_F(LineTableTest, ShortFormHoldsColumns) {
  table_ = {0x80 | 2 << 3 | 1, 0x35};  // two units, column 2*8+3, five wide
  EXPECT_EQ(At(2), (Position{10, 10, 19, 24}));
}

TEST_F(LineTableTest, OneLineFormMovesUpToTwoLines) {
  table_ = {0x80 | 12 << 3, 7, 9};
  EXPECT_EQ(At(0), (Position{12, 12, 7, 9}));
}

TEST_F(LineTableTest, LongFormSpansLines) {
  // line +100 (200 = 8 + 3*64), two lines on, columns 5-1 and 70-1
  table_ = {0x80 | 14 << 3, 0x48, 3, 2, 5, 0x46, 1};
  EXPECT_EQ(At(0), (Position{110, 112, 4, 69}));
}

TEST_F(LineTableTest, NoColumnsFormMayGoBack) {
  table_ = {0x80 | 13 << 3, 3 << 1 | 1};
  EXPECT_EQ(At(0), (Position{7, 7, -1, -1}));
}

TEST_F(LineTableTest, NoneKeepsTheLineForTheNext) {
  table_ = {0x80 | 15 << 3, 0x80 | 11 << 3, 1, 2};
  EXPECT_EQ(At(0), Position{});
  EXPECT_EQ(At(2), (Position{11, 11, 1, 2}));
}

TEST_F(LineTableTest, DamagedTablesGiveNoLine) {
  table_ = {0x05, 0x80};
  EXPECT_EQ(At(0), Position{});
  table_ = {};
  EXPECT_EQ(At(0), Position{});
}

TEST_F(LineTableTest, EveryCutOfATableIsSafe) {
  const std::vector<uint8_t> whole = {0x80 | 14 << 3, 0x48, 3, 2, 5, 0x46, 1, 0x80 | 2 << 3, 0x35};
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    table_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_EQ(At(64), Position{});
  }
}

TEST_F(LineTableTest, BeforeTheFirstInstructionIsTheFirstLine) {
  EXPECT_EQ(LineAt(LineTableKind::kPairs, kBeforeFirstInstruction), 10);
}

}  // namespace
}  // namespace pyrometer::cpython
