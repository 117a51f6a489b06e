// SPDX-License-Identifier: Apache-2.0
#include "agent/core/greenlet_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpython/fake_greenlets.h"

namespace pyrometer::agent {
namespace {

using cpython::FakeGreenlets;

constexpr EvalRange kEval{0x1000, 0x2000};

// The C stack of a greenlet: a leaf, the eval loop, what greenlet's library has called,
// and that library, from `stack` upwards with 256 bytes for each.
class GreenletScanTest : public testing::Test {
 protected:
  GreenletScanTest() : greenlets_(FakeGreenlets::Version::k32) {
    child_ = greenlets_.Make(greenlets_.main());
    greenlets_.Run(child_);
    uint64_t sp = greenlets_.stack();
    for (const uint64_t pc :
         {uint64_t{0x3000}, kEval.begin + 8, uint64_t{0x4000}, FakeGreenlets::kLibrary + 8}) {
      native_.push_back({.pc = pc, .sp = sp, .cfa = sp + kFrame});
      sp += kFrame;
    }
  }

  // With the body of `greenlet` at `offset` of the stack.
  bool ScanWith(uint64_t greenlet, uint64_t offset) {
    greenlets_.memory().Put(greenlets_.stack() + offset, greenlets_.Body(greenlet));
    return ScanForGreenlets(greenlets_.layout(), greenlets_.memory(),
                            std::span<const unwind::NativeFrame>(native_), kEval,
                            FakeGreenlets::kLibrary, FakeGreenlets::kLibraryEnd, &found_);
  }

  static constexpr uint64_t kFrame = 256;
  FakeGreenlets greenlets_;
  uint64_t child_;
  std::vector<unwind::NativeFrame> native_;
  cpython::GreenletThread found_{};
};

TEST_F(GreenletScanTest, FindsTheBodyInTheFrameOfTheLibrary) {
  EXPECT_TRUE(ScanWith(child_, 3 * kFrame + 40));
  EXPECT_EQ(found_.main, greenlets_.main());
  EXPECT_EQ(found_.state, greenlets_.state());
}

TEST_F(GreenletScanTest, FindsTheBodyInARegisterThatTheEvalLoopHasSaved) {
  EXPECT_TRUE(ScanWith(child_, 2 * kFrame - 16));
}

TEST_F(GreenletScanTest, LooksNoFurther) { EXPECT_FALSE(ScanWith(child_, kFrame - 16)); }

TEST_F(GreenletScanTest, OtherGreenletsOnTheStackDoNotCount) {
  EXPECT_FALSE(ScanWith(greenlets_.main(), 3 * kFrame + 40));
  EXPECT_FALSE(ScanWith(greenlets_.Make(greenlets_.main()), 3 * kFrame + 48));
  EXPECT_TRUE(ScanWith(child_, 3 * kFrame + 56));
}

TEST_F(GreenletScanTest, TellsWhichGreenletBegins) {
  ASSERT_TRUE(ScanWith(child_, 3 * kFrame + 40));
  const cpython::GreenletReader read(greenlets_.layout(), greenlets_.memory(), found_);
  const uint64_t other = greenlets_.Make(greenlets_.main());
  const auto begins = [&](uint64_t greenlet) {
    return BeginsThere(greenlets_.memory(), read, std::span<const unwind::NativeFrame>(native_),
                       kEval, greenlets_.Body(greenlet));
  };
  EXPECT_TRUE(begins(child_));
  EXPECT_FALSE(begins(other));
  ScanWith(other, 3 * kFrame + 48);
  EXPECT_FALSE(begins(child_));
  EXPECT_FALSE(begins(other));
}

}  // namespace
}  // namespace pyrometer::agent
