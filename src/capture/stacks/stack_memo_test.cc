// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/stack_memo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pyrometer::capture {
namespace {

using format::FrameId;
using format::StackId;
using transport::StackFrame;

class StackMemoTest : public ::testing::Test {
 protected:
  static StackFrame Native(uint64_t pc, uint32_t module = 0) {
    return {pc, StackFrame::kNative, module};
  }
  void Keep(uint32_t caller, const StackFrame& frame, uint32_t stack, bool exact = false) {
    memo_.Keep(StackId(caller), frame, exact, {FrameId(9), StackId(stack)});
  }
  // 0: not known.
  uint32_t Find(uint32_t caller, const StackFrame& frame, bool exact = false) const {
    const auto step = memo_.Find(StackId(caller), frame, exact);
    return step ? step->stack.value : 0;
  }

  StackMemo memo_;
};

TEST_F(StackMemoTest, KnowsWhatItWasTold) {
  EXPECT_EQ(Find(1, Native(0x1000)), 0u);
  Keep(1, Native(0x1000), 5);
  EXPECT_EQ(Find(1, Native(0x1000)), 5u);
}

TEST_F(StackMemoTest, EveryPartOfAFrameCounts) {
  Keep(1, Native(0x1000), 5);
  EXPECT_EQ(Find(2, Native(0x1000)), 0u);
  EXPECT_EQ(Find(1, Native(0x1001)), 0u);
  EXPECT_EQ(Find(1, Native(0x1000, 1)), 0u);
  EXPECT_EQ(Find(1, {0x1000, StackFrame::kPython, 0}), 0u);
  EXPECT_EQ(Find(1, Native(0x1000), true), 0u);
}

TEST_F(StackMemoTest, AFrameCanBeLeftOut) {
  memo_.Keep(StackId(3), Native(0x1000), false, {std::nullopt, StackId(3)});
  const auto step = memo_.Find(StackId(3), Native(0x1000), false);
  ASSERT_TRUE(step);
  EXPECT_FALSE(step->frame);
  EXPECT_EQ(step->stack, StackId(3));
}

TEST_F(StackMemoTest, ClearForgetsAll) {
  Keep(1, Native(0x1000), 5);
  memo_.Clear();
  EXPECT_EQ(Find(1, Native(0x1000)), 0u);
  Keep(1, Native(0x1000), 6);
  EXPECT_EQ(Find(1, Native(0x1000)), 6u);
}

TEST_F(StackMemoTest, WhatItDoesNotKnowAnyMoreIsNotSomethingElse) {
  constexpr uint32_t kMany = 20'000;
  for (uint32_t i = 1; i <= kMany; ++i) Keep(i, Native(i * 16), i);
  uint32_t known = 0;
  for (uint32_t i = 1; i <= kMany; ++i) {
    const uint32_t found = Find(i, Native(i * 16));
    EXPECT_THAT(found, ::testing::AnyOf(0u, i));
    known += found == i;
  }
  EXPECT_GT(known, 1000u);
}

}  // namespace
}  // namespace pyrometer::capture
