// SPDX-License-Identifier: Apache-2.0
#include "tui/text/bar.h"

#include <gtest/gtest.h>

namespace pyrometer::tui {
namespace {

using enum format::Activity;

class BarTest : public ::testing::Test {
 public:
  BarTest& With(format::Activity activity, uint64_t ns, bool main_thread = true) {
    time_.AddSample(activity, ns, 1, main_thread);
    return *this;
  }
  std::string Of(uint64_t full, size_t cells, ReportStyle style = {}) {
    return Bar(time_, full, cells, Ink(style));
  }

  analyze::Breakdown time_;
};

TEST_F(BarTest, PartsInOrder) {
  With(kPython, 4).With(kNative, 2).With(kKernel, 1).With(kIoWait, 1);
  EXPECT_EQ(Of(8, 8), "PPPPNNKw");
  EXPECT_EQ(Of(16, 8), "PPNK    ");
  EXPECT_EQ(Of(8, 8, {.unicode = true}), "████▓▓▒░");
}

TEST_F(BarTest, ALittleIsNotNothing) {
  With(kNative, 1);
  EXPECT_EQ(Of(1000, 4), ".   ");
  EXPECT_EQ(Of(1000, 4, {.unicode = true}), "▏   ");
}

TEST_F(BarTest, NothingIsBlank) {
  EXPECT_EQ(Of(10, 4), "    ");
  EXPECT_EQ(Of(0, 4), "    ");
}

TEST_F(BarTest, IdleWorkersHaveNoBar) {
  With(kLockWait, 5, false);
  EXPECT_EQ(Of(10, 4), "    ");
}

TEST_F(BarTest, NeverLongerThanItsCells) {
  With(kPython, 50);
  EXPECT_EQ(Of(10, 4), "PPPP");
}

TEST_F(BarTest, MemoryIsSplitAsItWasAtThePeak) {
  analyze::MemoryByKind split;
  split[format::MemoryKind::kPython].bytes = 1;
  split[format::MemoryKind::kNative].bytes = 1;
  split[format::MemoryKind::kMapped].bytes = 2;
  EXPECT_EQ(MemoryBar(80, split, 160, 8, Ink({})), "PNNN    ");
  EXPECT_EQ(MemoryBar(1, split, 160, 4, Ink({})), ".   ");
  EXPECT_EQ(MemoryBar(80, {}, 160, 4, Ink({})), "    ");
}

TEST_F(BarTest, ColoursEachRunOnce) {
  With(kPython, 2).With(kSleep, 2);
  EXPECT_EQ(Of(4, 4, {.color = true}), "\x1b[32mPP\x1b[0m\x1b[36mww\x1b[0m");
}

}  // namespace
}  // namespace pyrometer::tui
