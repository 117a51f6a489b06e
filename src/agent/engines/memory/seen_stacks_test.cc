// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/seen_stacks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace pyrometer::agent {
namespace {

// A thread with three Python frames and three native ones, in the memory of this process.
class SeenStacksTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  using Memory = std::array<uint64_t, 64>;

  SeenStacksTest() {
    for (size_t i = 0; i < 3; ++i) {
      python_[i] = {.code = Address(code_[i]), .frame = Address(frame_[i])};
      PutAddress(frame_[i], layout_.frame.code, code_[i]);
      frame_[i][layout_.frame.instruction / 8] = 100 + i;
      for (const uint32_t field : {layout_.code.filename, layout_.code.name,
                                   layout_.code.line_table, layout_.code.first_line})
        code_[i][field / 8] = 1000 * (i + 1) + field;
      if (layout_.code.qualname != cpython::kAbsent) code_[i][layout_.code.qualname / 8] = 7;
    }
    // Between the first and the second stands a frame that is not reported.
    PutAddress(frame_[0], layout_.frame.previous, hidden_);
    PutAddress(hidden_, layout_.frame.previous, frame_[1]);
    PutAddress(frame_[1], layout_.frame.previous, frame_[2]);
    if (layout_.cframe.current_frame == cpython::kAbsent) {
      PutAddress(tstate_, layout_.thread.frame, frame_[0]);
    } else {
      PutAddress(tstate_, layout_.thread.frame, cframe_);
      PutAddress(cframe_, layout_.cframe.current_frame, frame_[0]);
    }
    for (size_t i = 0; i < 3; ++i) {
      const uint64_t cfa = Address(stack_) + 8 * (i + 1) * kFrameWords;
      native_.push_back({.pc = 0x4000 + i, .sp = cfa - 8 * kFrameWords, .cfa = cfa});
      if (i < 2) stack_[(i + 1) * kFrameWords - 1] = 0x4000 + i + 1;
    }
  }

  uint32_t Keep(uint32_t generation = 0) {
    cache_ = {};
    const sigsafe::LocalReader reader(cache_, 0, 0);
    return seen_->Keep(layout_, reader, Address(stack_), Address(tstate_), generation, python_,
                       native_);
  }
  uint32_t Find(uint32_t generation = 0) const {
    return seen_->Find(Address(stack_), Address(tstate_), generation);
  }
  // Whether the stack is another one when a word of `memory` is.
  bool Matters(Memory& memory, uint32_t offset) {
    const uint64_t before = memory[offset / 8];
    memory[offset / 8] += uint64_t{8} << (offset % 8 * 8);
    const bool found = Find() != 0;
    memory[offset / 8] = before;
    return !found && Find() != 0;
  }

  static uint64_t Address(const Memory& memory) { return reinterpret_cast<uint64_t>(&memory); }
  static void PutAddress(Memory& memory, uint32_t offset, const Memory& value) {
    memory[offset / 8] = Address(value);
  }

  static constexpr size_t kFrameWords = 16;
  const cpython::Layout layout_ = *cpython::FindLayout(GetParam());
  Memory tstate_{}, cframe_{}, hidden_{}, stack_{};
  std::array<Memory, 3> frame_{}, code_{};
  std::vector<cpython::PythonFrame> python_ = std::vector<cpython::PythonFrame>(3);
  std::vector<unwind::NativeFrame> native_;
  sigsafe::PageCache cache_{};
  std::unique_ptr<SeenStacks> seen_ = std::make_unique<SeenStacks>();
};

INSTANTIATE_TEST_SUITE_P(Versions, SeenStacksTest,
                         testing::Values(0x030800f0, 0x030b00f0, 0x030c00f0));

TEST_P(SeenStacksTest, FindsTheStackAsLongAsItIsTheSame) {
  EXPECT_EQ(Find(), 0u);
  EXPECT_EQ(Keep(), 1u);
  EXPECT_EQ(Find(), 1u);
  EXPECT_EQ(seen_->Find(Address(stack_) + 8, Address(tstate_), 0), 0u);
  EXPECT_EQ(seen_->Find(Address(stack_), Address(tstate_) + 8, 0), 0u);
  EXPECT_EQ(Find(1), 0u);  // code was unloaded
  seen_->Clear();
  EXPECT_EQ(Find(), 0u);
}

TEST_P(SeenStacksTest, EveryWordThatMakesTheStackMatters) {
  ASSERT_EQ(Keep(), 1u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(Matters(frame_[i], layout_.frame.instruction)) << i;
    EXPECT_TRUE(Matters(frame_[i], layout_.frame.previous)) << i;
    EXPECT_TRUE(Matters(frame_[i], layout_.frame.code)) << i;
    for (const uint32_t field :
         {layout_.code.filename, layout_.code.line_table, layout_.code.first_line})
      EXPECT_TRUE(Matters(code_[i], field)) << i << ' ' << field;
  }
  EXPECT_TRUE(Matters(tstate_, layout_.thread.frame));
  EXPECT_TRUE(Matters(hidden_, layout_.frame.previous));
  EXPECT_TRUE(Matters(stack_, 8 * (kFrameWords - 1)));
  EXPECT_TRUE(Matters(stack_, 8 * (2 * kFrameWords - 1)));
  EXPECT_FALSE(Matters(stack_, 8 * (3 * kFrameWords - 1)));  // behind the root
}

TEST_P(SeenStacksTest, AsManyAreRememberedAsThereIsRoom) {
  for (uint32_t i = 0; i < SeenStacks::kStacks + 2; ++i) {
    frame_[0][layout_.frame.instruction / 8] = 100 + i;
    EXPECT_EQ(Keep(), i % SeenStacks::kStacks + 1);
  }
  const auto find = [this](uint32_t i) {
    frame_[0][layout_.frame.instruction / 8] = 100 + i;
    return Find();
  };
  EXPECT_EQ(find(0), 0u);
  EXPECT_EQ(find(1), 0u);
  for (uint32_t i = 2; i < SeenStacks::kStacks + 2; ++i)
    EXPECT_EQ(find(i), i % SeenStacks::kStacks + 1);
}

TEST_P(SeenStacksTest, WhatDoesNotFitTogetherIsNotRemembered) {
  native_[1].pc += 1;  // not what the stack says
  EXPECT_EQ(Keep(), 0u);
  native_[1].pc -= 1;
  std::swap(python_[1], python_[2]);
  EXPECT_EQ(Keep(), 0u);
  EXPECT_EQ(Find(), 0u);
}

TEST_P(SeenStacksTest, AStackWithTooManyWordsIsNotRemembered) {
  const std::vector<cpython::PythonFrame> one = python_;
  PutAddress(frame_[2], layout_.frame.previous, frame_[0]);
  for (int i = 0; i < 30; ++i) python_.insert(python_.end(), one.begin(), one.end());
  EXPECT_EQ(Keep(), 0u);
  python_ = one;
  EXPECT_EQ(Keep(), 1u);
}

}  // namespace
}  // namespace pyrometer::agent
