// SPDX-License-Identifier: Apache-2.0
#include "cpython/greenlet_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "cpython/fake_greenlets.h"
#include "cpython/greenlet_finder.h"

namespace pyrometer::cpython {
namespace {

using testing::ElementsAre;
using Version = FakeGreenlets::Version;

// A child runs whose parent is the main greenlet; a test then breaks one thing.
class GreenletWalkTest : public testing::TestWithParam<Version> {
 protected:
  GreenletWalkTest() : greenlets_(GetParam()) {
    child_ = greenlets_.Make(greenlets_.main());
    greenlets_.Run(child_);
  }

  bool Find(uint64_t greenlet) {
    const auto& memory = greenlets_.memory();
    GreenletFinder<FakeMemory> finder(greenlets_.layout(), memory, FakeGreenlets::kLibrary,
                                      FakeGreenlets::kLibraryEnd);
    return finder.Find(greenlets_.Body(greenlet), &thread_);
  }

  // With the greenlets as found now, unless they were found before.
  WalkOutcome Walk(size_t room = 16, std::span<const PythonFrame> own = {}) {
    EXPECT_TRUE(thread_.known() || Find(child_));
    frames_.resize(room);
    const auto& memory = greenlets_.memory();
    const FreshExtents<FakeMemory> extents(greenlets_.layout(), memory);
    const WalkResult result = WalkParentGreenlets(
        greenlets_.layout(), memory, extents, thread_, greenlets_.stack() + 0x1000,
        greenlets_.stack() + 0x10000, settled_, own, std::span(frames_));
    frames_.resize(result.count);
    return result.outcome;
  }

  std::vector<uint64_t> Codes() const { return CodesOf(frames_); }

  FakeGreenlets greenlets_;
  uint64_t child_;
  GreenletThread thread_{};
  bool settled_ = true;
  std::vector<PythonFrame> frames_;
};

INSTANTIATE_TEST_SUITE_P(, GreenletWalkTest, testing::Values(Version::k2, Version::k32),
                         [](const auto& param) {
                           return param.param == Version::k2 ? "Version2" : "Version32";
                         });

TEST_P(GreenletWalkTest, GoesOnInTheParentWhereItStands) {
  const uint64_t a = greenlets_.Code(), b = greenlets_.Code();
  greenlets_.Stop(greenlets_.main(), {a, b});
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
  EXPECT_EQ(frames_[0].instruction, 4u);
}

TEST_P(GreenletWalkTest, GoesDownToTheMainGreenlet) {
  const uint64_t a = greenlets_.Code(), b = greenlets_.Code(), c = greenlets_.Code();
  const uint64_t middle = greenlets_.Make(greenlets_.main());
  const uint64_t inner = greenlets_.Make(middle);
  greenlets_.Stop(greenlets_.main(), {a});
  greenlets_.Stop(middle, {b, c});
  greenlets_.Run(inner);
  ASSERT_TRUE(Find(inner));
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(c, b, a));
}

TEST_P(GreenletWalkTest, ParentsThatHaveEndedAreSkipped) {
  const uint64_t a = greenlets_.Code();
  greenlets_.Stop(greenlets_.main(), {a});
  child_ = greenlets_.Make(greenlets_.Make(greenlets_.main()));
  greenlets_.Run(child_);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(a));
}

TEST_P(GreenletWalkTest, OnlyTheRunningGreenletIsFound) {
  EXPECT_FALSE(Find(greenlets_.main()));
  EXPECT_FALSE(Find(greenlets_.Make(greenlets_.main())));
  EXPECT_TRUE(Find(child_));
}

TEST_P(GreenletWalkTest, NothingIsFoundOutsideTheLibrary) {
  greenlets_.memory().Put(greenlets_.Body(child_), FakeGreenlets::kLibraryEnd);
  EXPECT_FALSE(Find(child_));
}

TEST_P(GreenletWalkTest, TheMainGreenletHasNoParent) {
  ASSERT_TRUE(Find(child_));
  greenlets_.Run(greenlets_.main());
  EXPECT_EQ(Walk(), WalkOutcome::kNoFrames);
}

TEST_P(GreenletWalkTest, InTheMiddleOfASwitchTheThreadsFramesMustBeTheGreenlets) {
  std::vector<PythonFrame> own(1);
  const uint64_t next = greenlets_.Stop(greenlets_.main(), {greenlets_.Code()}).back();
  own[0].frame = greenlets_.Stop(child_, {greenlets_.Code()}).back();  // and still the current one
  EXPECT_EQ(Walk(16, own), WalkOutcome::kComplete);
  own[0].frame = next;
  EXPECT_EQ(Walk(16, own), WalkOutcome::kTorn);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

// A switch to the parent of the one that is left takes the parent's frame first, and gives it to
// the thread then.
TEST_P(GreenletWalkTest, InTheMiddleOfASwitchAParentWithoutItsFrameIsNotSkipped) {
  const uint64_t parent = greenlets_.Make(greenlets_.main());
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  child_ = greenlets_.Make(parent);
  greenlets_.Run(child_);
  std::vector<PythonFrame> own(1);
  own[0].frame = greenlets_.Stop(child_, {greenlets_.Code()}).back();
  EXPECT_EQ(Walk(16, own), WalkOutcome::kTorn);
  greenlets_.Put(parent, FakeGreenlets::kStackStart, 0);  // it has ended
  EXPECT_EQ(Walk(16, own), WalkOutcome::kComplete);
}

TEST_P(GreenletWalkTest, InTheMiddleOfASwitchAGreenletWithoutFramesIsNotContinued) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  settled_ = false;
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, AGreenletThatEndsIsNotContinued) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  greenlets_.Put(child_, FakeGreenlets::kStackStart, 0);
  EXPECT_EQ(Walk(), WalkOutcome::kNoFrames);
}

TEST_P(GreenletWalkTest, AGreenletOfAnotherStackIsNotContinued) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  greenlets_.Put(child_, FakeGreenlets::kStackStop, greenlets_.stack() + 0x1000);
  EXPECT_EQ(Walk(), WalkOutcome::kNoFrames);
}

TEST_P(GreenletWalkTest, AThreadWhoseObjectsAreGoneIsNotContinued) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  ASSERT_TRUE(Find(child_));
  greenlets_.memory().Put(greenlets_.state(), uint64_t{0});
  EXPECT_EQ(Walk(), WalkOutcome::kNoFrames);
}

TEST_P(GreenletWalkTest, TheParentsFramesAreNotAddedTwice) {
  std::vector<PythonFrame> own(1);
  own[0].frame = greenlets_.Stop(greenlets_.main(), {greenlets_.Code()}).back();
  EXPECT_EQ(Walk(16, own), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, WhatIsNoFrameObjectIsTorn) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  greenlets_.Put(greenlets_.main(), FakeGreenlets::kTopFrame, greenlets_.Code());
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, AnotherCurrentFrameIsTorn) {
  const auto frames = greenlets_.Stop(greenlets_.main(), {greenlets_.Code(), greenlets_.Code()});
  greenlets_.Put(greenlets_.main(), FakeGreenlets::kCurrentFrame, frames[0]);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, TheCodeOfAClassCallMayLieBetween) {
  const Layout& layout = greenlets_.layout();
  const uint64_t a = greenlets_.Code(), b = greenlets_.Code(), between = greenlets_.Code();
  greenlets_.memory().Put<int64_t>(between + layout.object.var_size, 4);
  greenlets_.memory().Put<int32_t>(between + layout.code.first_traceable, 4);
  const auto frames = greenlets_.Stop(greenlets_.main(), {a, between, b});
  greenlets_.memory().Put(frames[2] + layout.frame.previous, frames[0]);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
}

// As greenlet 3.0.0 leaves it on 3.12.
TEST_P(GreenletWalkTest, ACutChainIsTorn) {
  const auto frames = greenlets_.Stop(greenlets_.main(), {greenlets_.Code(), greenlets_.Code()});
  greenlets_.memory().Put(frames[1] + greenlets_.layout().frame.previous, uint64_t{0});
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, AParentOfAnotherThreadIsTorn) {
  const uint64_t parent = greenlets_.Make(greenlets_.main());
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code()});
  child_ = greenlets_.Make(parent);
  greenlets_.Run(child_);
  ASSERT_TRUE(Find(child_));
  greenlets_.memory().Put(greenlets_.Body(parent) + thread_.main_greenlet, parent);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_P(GreenletWalkTest, CyclesAndWhatHasNoRoomAreTorn) {
  greenlets_.Stop(greenlets_.main(), {greenlets_.Code(), greenlets_.Code()});
  EXPECT_EQ(Walk(1), WalkOutcome::kTorn);
  greenlets_.memory().Put(greenlets_.Body(child_) + thread_.parent, child_);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

}  // namespace
}  // namespace pyrometer::cpython
