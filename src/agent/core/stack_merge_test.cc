// SPDX-License-Identifier: Apache-2.0
#include "agent/core/stack_merge.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pyrometer::agent {
namespace {

// Stacks are written leaf first. Python frames: "p" plain, "E@100" entry whose
// anchor is at address 100. Native frames: the sp at which each begins; each
// ends where the next begins. pc of frame i is 1000 + i unless in `eval`.
class StackMergeTest : public testing::Test {
 protected:
  void Python(bool entry, uint64_t anchor = 0) {
    cpython::PythonFrame frame;
    frame.entry = entry;
    frame.anchor = anchor;
    python_.push_back(frame);
  }
  void Native(uint64_t sp, uint64_t pc = 1000) {
    if (!native_.empty()) native_.back().cfa = sp;
    native_.push_back({pc, sp, 0});
  }
  // "n0 p0 p1 n2", or "no" when they do not fit.
  std::string Merge(bool complete = true, EvalRange eval = {}) {
    std::string out;
    const bool fits = MergeStacks(
        std::span<const cpython::PythonFrame>(python_),
        std::span<const unwind::NativeFrame>(native_), complete, eval,
        [&](size_t i) { out += " p" + std::to_string(i); },
        [&](size_t i) { out += " n" + std::to_string(i); });
    return fits ? out.substr(out.empty() ? 0 : 1) : "no";
  }

  std::vector<cpython::PythonFrame> python_;
  std::vector<unwind::NativeFrame> native_;
};

TEST_F(StackMergeTest, PythonFramesReplaceTheActivationThatHoldsTheirAnchor) {
  Python(false);
  Python(true, 150);
  Python(true, 350);
  for (uint64_t sp : {50, 100, 200, 300, 400}) Native(sp);
  EXPECT_EQ(Merge(), "n0 p0 p1 n2 p2 n4");
}

TEST_F(StackMergeTest, AnAnchorThatTheWalkHasPassedDoesNotFit) {
  Python(true, 90);
  for (uint64_t sp : {100, 200}) Native(sp);
  EXPECT_EQ(Merge(), "no");
}

TEST_F(StackMergeTest, CutNativeStackKeepsAllPythonFrames) {
  Python(true, 150);
  Python(true, 950);
  for (uint64_t sp : {100, 200, 300}) Native(sp);
  EXPECT_EQ(Merge(false), "p0 n1 n2 p1");
  EXPECT_EQ(Merge(true), "no");
}

TEST_F(StackMergeTest, WithoutAnchorsEachEvalActivationIsOneFrame) {
  Python(true);
  Python(true);
  Native(10, 500);
  Native(20, 77);
  Native(30, 78);
  Native(40, 60);
  EXPECT_EQ(Merge(true, {50, 80}), "no");  // three activations, two frames
  EXPECT_EQ(Merge(true, {70, 80}), "n0 p0 p1 n3");
}

TEST_F(StackMergeTest, NoPythonIsAllNative) {
  Native(10);
  Native(20);
  EXPECT_EQ(Merge(), "n0 n1");
}

}  // namespace
}  // namespace pyrometer::agent
