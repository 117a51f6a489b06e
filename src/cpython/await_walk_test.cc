// SPDX-License-Identifier: Apache-2.0
#include "cpython/await_walk.h"

#include <gtest/gtest.h>

#include "cpython/asyncio_tasks.h"
#include "cpython/fake_memory.h"

namespace pyrometer::cpython {
namespace {

// Suspended coroutines of CPython 3.12.
class AwaitWalkTest : public testing::Test {
 protected:
  AwaitWalkTest() : layout_(*FindLayout(0x030c00f0)), objects_(*FindObjectLayout(12, false)) {
    layout_.type_code = memory_.Allocate(1024);
    layout_.type_coroutine = memory_.Allocate(1024);
    code_ = memory_.Allocate(512);
    memory_.Put(code_ + layout_.object.type, layout_.type_code);
    memory_.Put(code_ + layout_.object.var_size, int64_t{8});
    memory_.Put(code_ + layout_.code.frame_words, int32_t{40});
    constexpr uint8_t kAfterAwait = 3;
    memory_.Put(Instruction() + 2, static_cast<uint8_t>(objects_.delegating_opcode));
    memory_.Put(Instruction() + 3, kAfterAwait);
  }

  uint64_t Instruction() const { return code_ + layout_.code.bytecode + 6; }

  uint64_t Coroutine(uint64_t awaits) {
    const uint64_t coroutine = memory_.Allocate(512);
    const uint64_t frame = coroutine + layout_.generator.frame;
    memory_.Put(coroutine + layout_.object.type, layout_.type_coroutine);
    memory_.Put(coroutine + layout_.generator.state, static_cast<int8_t>(objects_.state_suspended));
    memory_.Put(frame + layout_.frame.code, code_);
    memory_.Put(frame + layout_.frame.instruction, Instruction());
    memory_.Put(frame + layout_.frame.owner, uint8_t{1});
    memory_.Put(frame + layout_.frame.stack_top, int32_t{1});
    SetAwaited(coroutine, awaits);
    return coroutine;
  }
  void SetAwaited(uint64_t coroutine, uint64_t awaits) {
    memory_.Put(coroutine + layout_.generator.frame + layout_.frame.specials_size, awaits);
  }
  // An object of a type of its own.
  uint64_t Object() {
    const uint64_t meta = memory_.Allocate(1024);
    const uint64_t type = memory_.Allocate(1024);
    const uint64_t object = memory_.Allocate(64);
    memory_.Put(meta + objects_.type_flags, uint64_t{1} << 31);
    memory_.Put(type + layout_.object.type, meta);
    memory_.Put(object + layout_.object.type, type);
    return object;
  }
  uint64_t TypeOfObject(uint64_t object) const { return TypeOf(layout_, memory_, object); }
  // An iterator, as awaiting a future makes one.
  uint64_t Future() {
    const uint64_t future = Object();
    memory_.Put(TypeOfObject(future) + objects_.type_iter_next, uint64_t{1});
    return future;
  }
  AwaitChain Walk(uint64_t coroutine) {
    return WalkAwaits(layout_, objects_, memory_, coroutine, std::span(out_));
  }

  FakeMemory memory_;
  Layout layout_;
  ObjectLayout objects_;
  uint64_t code_ = 0;
  PythonFrame out_[4];
};

TEST_F(AwaitWalkTest, InnermostFirstAndWhatItAwaits) {
  const uint64_t future = Future();
  const uint64_t inner = Coroutine(future);
  const uint64_t outer = Coroutine(inner);
  const AwaitChain chain = Walk(outer);
  ASSERT_EQ(chain.outcome, AwaitOutcome::kComplete);
  ASSERT_EQ(chain.count, 2u);
  EXPECT_EQ(out_[0].generator, inner);
  EXPECT_EQ(out_[1].generator, outer);
  EXPECT_EQ(out_[0].instruction, 6u);
  EXPECT_EQ(chain.awaited, future);
}

TEST_F(AwaitWalkTest, ACircleIsTorn) {
  const uint64_t first = Coroutine(0);
  SetAwaited(first, Coroutine(first));
  EXPECT_EQ(Walk(first).outcome, AwaitOutcome::kTorn);
}

TEST_F(AwaitWalkTest, ARunningFrameBehindASuspendedOneIsTorn) {
  const uint64_t inner = Coroutine(Future());
  const uint64_t outer = Coroutine(inner);
  memory_.Put(inner + layout_.generator.state, static_cast<int8_t>(objects_.state_executing));
  EXPECT_EQ(Walk(inner).outcome, AwaitOutcome::kRunning);
  EXPECT_EQ(Walk(outer).outcome, AwaitOutcome::kTorn);
}

TEST_F(AwaitWalkTest, AStackOutsideOfTheFrameIsTorn) {
  const uint64_t coroutine = Coroutine(Future());
  const uint64_t top = coroutine + layout_.generator.frame + layout_.frame.stack_top;
  for (const int32_t bad : {0, -1, 1000, 0x7fffffff}) {
    memory_.Put(top, bad);
    EXPECT_EQ(Walk(coroutine).outcome, AwaitOutcome::kTorn) << bad;
  }
}

TEST_F(AwaitWalkTest, DeepChainsKeepBothEnds) {
  uint64_t coroutine = Coroutine(Future());
  const uint64_t innermost = coroutine;
  for (int i = 0; i < 9; ++i) coroutine = Coroutine(coroutine);
  const AwaitChain chain = Walk(coroutine);
  EXPECT_EQ(chain.outcome, AwaitOutcome::kTruncated);
  EXPECT_EQ(chain.omitted, 6u);
  EXPECT_EQ(out_[0].generator, innermost);
  EXPECT_EQ(out_[3].generator, coroutine);
}

TEST_F(AwaitWalkTest, ConfirmNoticesAMove) {
  const uint64_t inner = Coroutine(Future());
  const uint64_t outer = Coroutine(inner);
  const AwaitChain chain = Walk(outer);
  EXPECT_TRUE(ConfirmAwaits(layout_, objects_, memory_, outer, chain));
  SetAwaited(inner, Future());
  EXPECT_FALSE(ConfirmAwaits(layout_, objects_, memory_, outer, chain));
}

TEST_F(AwaitWalkTest, WhatNobodyCanAwaitIsTorn) {
  EXPECT_EQ(Walk(Coroutine(Object())).outcome, AwaitOutcome::kTorn);
}

TEST_F(AwaitWalkTest, MemoryThatIsNoObjectAnyMoreIsTorn) {
  const uint64_t inner = Future();
  const uint64_t outer = Coroutine(inner);
  const uint64_t type = TypeOfObject(inner);
  const uint64_t no_type = memory_.Allocate(1024);
  for (const uint64_t other : {no_type, uint64_t{0x7ff0}}) {
    memory_.Put(inner + layout_.object.type, other);
    EXPECT_EQ(Walk(outer).outcome, AwaitOutcome::kTorn) << other;
  }
  memory_.Put(inner + layout_.object.type, type);
  EXPECT_EQ(Walk(outer).outcome, AwaitOutcome::kComplete);
}

TEST_F(AwaitWalkTest, NoCoroutineHasNoFrames) {
  EXPECT_EQ(Walk(Future()).outcome, AwaitOutcome::kNoFrames);
  EXPECT_EQ(Walk(0).outcome, AwaitOutcome::kTorn);
}

// The lists of 3.14, whose links lie inside of the tasks.
class TaskListTest : public AwaitWalkTest {
 protected:
  TaskListTest() {
    handles_.objects = objects_;
    handles_.layout = *FindTaskLayout(14, false);
    handles_.layout.interpreter_tasks = 0;
    handles_.interpreter = head_ = memory_.Allocate(64);
    handles_.task_type = memory_.Allocate(1024);
    Link(head_, head_);
  }
  uint64_t AddTask() {
    const uint64_t task = memory_.Allocate(256);
    memory_.Put(task + layout_.object.type, handles_.task_type);
    return task;
  }
  uint64_t Node(uint64_t task) const { return task + handles_.layout.node; }
  void Link(uint64_t node, uint64_t next) {
    memory_.Put(node, next);
    memory_.Put(next + 8, node);
  }
  size_t Count() {
    Task tasks[8];
    size_t count = 0;
    ReadTasks(layout_, handles_, memory_, {}, tasks, &count);
    return count;
  }

  AsyncioHandles handles_;
  uint64_t head_ = 0;
};

TEST_F(TaskListTest, ListsEveryTask) {
  const uint64_t first = AddTask();
  const uint64_t second = AddTask();
  Link(head_, Node(first));
  Link(Node(first), Node(second));
  Link(Node(second), head_);
  EXPECT_EQ(Count(), 2u);
}

TEST_F(TaskListTest, ACircleThatMissesTheHeadEnds) {
  const uint64_t first = AddTask();
  const uint64_t second = AddTask();
  Link(Node(second), Node(first));
  Link(head_, Node(first));
  Link(Node(first), Node(second));
  EXPECT_EQ(Count(), 2u);
}

TEST_F(TaskListTest, ALinkIntoReusedMemoryEnds) {
  const uint64_t task = AddTask();
  memory_.Put(head_, Node(task));
  EXPECT_EQ(Count(), 0u);
}

}  // namespace
}  // namespace pyrometer::cpython
