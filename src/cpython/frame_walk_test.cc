// SPDX-License-Identifier: Apache-2.0
#include "cpython/frame_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "cpython/fake_code.h"
#include "cpython/fake_memory.h"

namespace pyrometer::cpython {
namespace {

using testing::ElementsAre;

constexpr uint64_t kTypeGenerator = 0x6000;

// A thread of CPython 3.12 built by hand. Activate() and Call() do what the
// interpreter does; a test then breaks one thing.
class FrameWalkTest : public testing::Test {
 protected:
  FrameWalkTest() : layout_(*FindLayout(0x030c01f0)) {
    layout_.type_code = kFakeTypeCode;
    layout_.type_generator = kTypeGenerator;
    tstate_ = memory_.Allocate(1024);
    c_stack_ = memory_.Allocate(1 << 16) + (1 << 16);
    chunk_ = memory_.Allocate(16 << 10);
    cframe_ = tstate_ + layout_.thread.root_cframe;
    top_ = chunk_ + 32;
    memory_.Put<uint64_t>(chunk_ + 8, 16 << 10);
    memory_.Put(tstate_ + layout_.thread.datastack_chunk, chunk_);
    Publish();
  }

  uint64_t Code() { return FakeCode(memory_, layout_); }

  // A new C activation of the eval loop.
  void Activate() {
    c_stack_ -= 512;
    shim_ = c_stack_;
    memory_.Put(shim_ + layout_.frame.previous, frame_);
    memory_.Put<uint8_t>(shim_ + layout_.frame.owner, 3);
    memory_.Put(c_stack_ + 256 + layout_.cframe.previous, cframe_);
    cframe_ = c_stack_ + 256;
    frame_ = shim_;
    Publish();
  }

  // Pushes and links a frame that runs its instruction at byte offset 4.
  uint64_t Call(uint64_t code) {
    const uint64_t frame = Push(code);
    memory_.Put(frame + layout_.frame.previous, frame_);
    memory_.Put(frame + layout_.frame.instruction, code + layout_.code.bytecode + 4);
    memory_.Put<int32_t>(frame + layout_.frame.stack_top, -1);
    frame_ = frame;
    Publish();
    return frame;
  }

  // A new generator, about to be entered.
  uint64_t Generator(uint64_t code) {
    const uint64_t generator = memory_.Allocate(512);
    const uint64_t frame = generator + layout_.generator.frame;
    memory_.Put(generator + layout_.object.type, kTypeGenerator);
    memory_.Put(generator + layout_.generator.state, layout_.generator.executing);
    memory_.Put(frame + layout_.frame.code, code);
    memory_.Put(frame + layout_.frame.instruction, code + layout_.code.bytecode + 4);
    memory_.Put<uint8_t>(frame + layout_.frame.owner, 1);
    LinkExceptions(generator + layout_.generator.exception_state);
    return generator;
  }

  void LinkExceptions(uint64_t state) {
    const uint32_t outer =
        layout_.generator.outer_exception_state - layout_.generator.exception_state;
    memory_.Put(state + outer, exceptions_);
    memory_.Put(tstate_ + layout_.thread.exception_state, state);
    exceptions_ = state;
  }

  void Enter(uint64_t generator) {
    const uint64_t frame = generator + layout_.generator.frame;
    memory_.Put(frame + layout_.frame.previous, frame_);
    frame_ = frame;
    Publish();
  }

  // An activation with what an earlier one has left at its place: it ran a frame at the
  // address of `leaf` for `caller`, which the activation at `cframe` runs.
  void ActivateWithLeftovers(uint64_t leaf, uint64_t caller, uint64_t cframe) {
    frame_ = caller;
    cframe_ = cframe;
    Activate();
    memory_.Put(leaf + layout_.frame.previous, frame_);
    frame_ = leaf;
    Publish();
  }

  uint64_t Push(uint64_t code) {
    const uint64_t frame = top_;
    memory_.Put(frame + layout_.frame.code, code);
    memory_.Put(frame + layout_.frame.instruction, code + layout_.code.bytecode - 2);
    top_ += kFakeFrameSize;
    Publish();
    return frame;
  }

  void Publish() {
    memory_.Put(tstate_ + layout_.thread.frame, cframe_);
    memory_.Put(tstate_ + layout_.thread.datastack_top, top_);
    memory_.Put(cframe_ + layout_.cframe.current_frame, frame_);
  }

  WalkOutcome Walk(size_t room = 16) {
    frames_.resize(room);
    result_ = WalkFrames(layout_, memory_, tstate_, c_stack_ - 64, std::span(frames_));
    frames_.resize(result_.count);
    return result_.outcome;
  }

  std::vector<uint64_t> Codes() const { return CodesOf(frames_); }

  FakeMemory memory_;
  Layout layout_;
  uint64_t tstate_, c_stack_, chunk_, cframe_, top_;
  uint64_t shim_ = 0;
  uint64_t frame_ = 0;
  uint64_t exceptions_ = 0;
  std::vector<PythonFrame> frames_;
  WalkResult result_;
};

TEST_F(FrameWalkTest, ThreadWithoutFrames) { EXPECT_EQ(Walk(), WalkOutcome::kNoFrames); }

TEST_F(FrameWalkTest, LeafFirst) {
  const uint64_t a = Code(), b = Code();
  Activate();
  Call(a);
  Call(b);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
  EXPECT_EQ(frames_[0].instruction, 4u);
}

TEST_F(FrameWalkTest, EntryFramesCarryTheirShim) {
  const uint64_t a = Code(), b = Code(), c = Code();
  Activate();
  Call(a);
  Call(b);
  Activate();
  Call(c);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_TRUE(frames_[0].entry);
  EXPECT_EQ(frames_[0].anchor, shim_);
  EXPECT_FALSE(frames_[1].entry);
  EXPECT_TRUE(frames_[2].entry);
}

TEST_F(FrameWalkTest, DeepStacksKeepBothEnds) {
  std::vector<uint64_t> codes;
  Activate();
  for (int i = 0; i < 10; ++i) Call(codes.emplace_back(Code()));
  ASSERT_EQ(Walk(4), WalkOutcome::kTruncated);
  EXPECT_THAT(Codes(), ElementsAre(codes[9], codes[8], codes[1], codes[0]));
  EXPECT_EQ(result_.omitted, 6u);
}

TEST_F(FrameWalkTest, PushedButUnlinkedFrameIsLegal) {
  const uint64_t a = Code();
  Activate();
  Call(a);
  Push(Code());
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(a));
}

TEST_F(FrameWalkTest, FramesContinueInTheNextChunk) {
  const uint64_t a = Code(), b = Code();
  Activate();
  Call(a);
  memory_.Put<uint64_t>(chunk_ + 16, (top_ - chunk_ - 24) / 8);
  const uint64_t next = memory_.Allocate(16 << 10);
  memory_.Put(next, chunk_);
  memory_.Put<uint64_t>(next + 8, 16 << 10);
  memory_.Put(tstate_ + layout_.thread.datastack_chunk, next);
  top_ = next + 24;
  Call(b);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
}

TEST_F(FrameWalkTest, ActivationBeforeItStoresItsFrameIsTorn) {
  Activate();
  const uint64_t a = Call(Code());
  Call(Code());
  Activate();
  memory_.Put(shim_ + layout_.frame.previous, a);  // left from an earlier activation
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, ActivationWhoseLeftoversLeadPastAGeneratorIsTorn) {
  Activate();
  const uint64_t a = Call(Code());
  const uint64_t cframe = cframe_;
  Activate();
  Enter(Generator(Code()));
  ActivateWithLeftovers(Push(Code()), a, cframe);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, ActivationWhoseLeftoversLeadPastARunningFrameIsTorn) {
  const uint64_t root = cframe_;
  Activate();
  const uint64_t a = Call(Code());
  Activate();
  Call(Code());
  Push(Code());
  Activate();
  memory_.Put(cframe_ + layout_.cframe.current_frame, a);
  memory_.Put(cframe_ + layout_.cframe.previous, root);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

// What it says until then is left from a frame at the same place: one that `a` had called
// while another was being cleared below it.
TEST_F(FrameWalkTest, NewFrameThatDoesNotSayYetWhoCalledItIsTorn) {
  Activate();
  const uint64_t a = Call(Code());
  const uint64_t b = Call(Code());
  memory_.Put<int32_t>(b + layout_.frame.stack_top, 0);  // stored for the call
  frame_ = Push(Code());
  Publish();
  memory_.Put(frame_ + layout_.frame.previous, a);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
  memory_.Put(frame_ + layout_.frame.previous, b);
  EXPECT_EQ(Walk(), WalkOutcome::kComplete);
}

TEST_F(FrameWalkTest, NewFrameOfAFinalizerMayLieAboveTheFrameThatIsCleared) {
  const uint64_t a = Code(), b = Code();
  Activate();
  Call(a);
  Push(Code());
  Activate();
  memory_.Put(Push(b) + layout_.frame.previous, frame_);
  frame_ = top_ - kFakeFrameSize;
  Publish();
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
}

TEST_F(FrameWalkTest, GeneratorsAreFrames) {
  const uint64_t a = Code(), b = Code(), c = Code(), d = Code();
  Activate();
  Call(a);
  Activate();
  Enter(Generator(b));
  Enter(Generator(c));
  Call(d);
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(d, c, b, a));
}

TEST_F(FrameWalkTest, AGeneratorThatIsAboutToBeEnteredIsNoFrameYet) {
  const uint64_t a = Code(), b = Code();
  Activate();
  Call(a);
  Enter(Generator(b));
  Generator(Code());
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
  Generator(Code());
  EXPECT_EQ(Walk(), WalkOutcome::kTorn) << "of two, one should be a frame";
}

TEST_F(FrameWalkTest, ExceptionStatesOfOthersAreNoGenerators) {
  const uint64_t a = Code(), b = Code();
  LinkExceptions(tstate_ + 512);
  Activate();
  Call(a);
  LinkExceptions(memory_.Allocate(512) + 256);
  LinkExceptions(memory_.Allocate(512));  // nothing can be read before it
  Enter(Generator(b));
  ASSERT_EQ(Walk(), WalkOutcome::kComplete);
  EXPECT_THAT(Codes(), ElementsAre(b, a));
}

TEST_F(FrameWalkTest, ActivationWithZeroedFrameIsTornNotEmpty) {
  Activate();
  Call(Code());
  c_stack_ -= 512;
  memory_.Put(tstate_ + layout_.thread.frame, c_stack_ + 256);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, SkippedFramesAreTorn) {
  Activate();
  const uint64_t root = Call(Code());
  Call(Code());
  Call(Code());
  Call(Code());
  const uint64_t leaf = Call(Code());
  memory_.Put(leaf + layout_.frame.previous, root);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, FrameAboveTheLiveTopIsTorn) {
  Activate();
  const uint64_t leaf = Call(Code());
  memory_.Put(tstate_ + layout_.thread.datastack_top, leaf);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, ForeignTypeIsTorn) {
  const uint64_t a = Code();
  Activate();
  Call(a);
  memory_.Put<uint64_t>(a + layout_.object.type, kFakeTypeCode + 8);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, InstructionOutsideTheCodeIsTorn) {
  const uint64_t a = Code();
  Activate();
  const uint64_t frame = Call(a);
  memory_.Put(frame + layout_.frame.instruction, a + layout_.code.bytecode + 64);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, CyclesAreTorn) {
  Activate();
  const uint64_t a = Call(Code());
  const uint64_t b = Call(Code());
  memory_.Put(a + layout_.frame.previous, b);
  EXPECT_EQ(Walk(), WalkOutcome::kTorn);
}

TEST_F(FrameWalkTest, ShimBelowTheStackPointerIsTorn) {
  Activate();
  Call(Code());
  frames_.resize(4);
  const auto result = WalkFrames(layout_, memory_, tstate_, c_stack_ + 1024, std::span(frames_));
  EXPECT_EQ(result.outcome, WalkOutcome::kTorn);
}

}  // namespace
}  // namespace pyrometer::cpython
