// SPDX-License-Identifier: Apache-2.0
#include "cpython/threads.h"

#include <gtest/gtest.h>

#include "cpython/fake_memory.h"
#include "cpython/gil.h"

namespace pyrometer::cpython {
namespace {

// A runtime of CPython 3.12 with interpreters and threads added at the head.
class ThreadsTest : public testing::Test {
 protected:
  ThreadsTest() : layout_(*FindLayout(0x030c00f0)), runtime_(memory_.Allocate(256)) {}

  uint64_t AddInterpreter() {
    const uint64_t interpreter = memory_.Allocate(1024);
    memory_.Put(interpreter + layout_.interpreter.next, head_);
    memory_.Put(runtime_ + layout_.runtime.interpreters_head, interpreter);
    return head_ = interpreter;
  }
  uint64_t AddThread(uint64_t interpreter, uint64_t native_tid) {
    const uint64_t tstate = memory_.Allocate(1024);
    uint64_t next = 0;
    ReadValue(memory_, interpreter + layout_.interpreter.threads_head, &next);
    memory_.Put(tstate + layout_.thread.next, next);
    memory_.Put(tstate + layout_.thread.interpreter, interpreter);
    memory_.Put(tstate + layout_.thread.native_thread_id, native_tid);
    memory_.Put(interpreter + layout_.interpreter.threads_head, tstate);
    return tstate;
  }
  bool Read() { return ReadThreads(layout_, memory_, runtime_, out_, &count_); }

  FakeMemory memory_;
  Layout layout_;
  uint64_t runtime_;
  uint64_t head_ = 0;
  PythonThread out_[3];
  size_t count_ = 0;
};

TEST_F(ThreadsTest, ListsAllInterpreters) {
  const uint64_t main = AddInterpreter();
  AddThread(main, 1);
  AddThread(AddInterpreter(), 2);
  ASSERT_TRUE(Read());
  ASSERT_EQ(count_, 2u);
  EXPECT_EQ(out_[0].native_tid, 2u);
  EXPECT_EQ(out_[1].native_tid, 1u);
}

TEST_F(ThreadsTest, StopsWhenTheRoomIsFull) {
  const uint64_t main = AddInterpreter();
  for (uint64_t i = 0; i < 5; ++i) AddThread(main, i);
  ASSERT_TRUE(Read());
  EXPECT_EQ(count_, 3u);
}

TEST_F(ThreadsTest, LeavesOutABrokenTail) {
  const uint64_t main = AddInterpreter();
  const uint64_t old = AddThread(main, 1);
  AddThread(main, 2);
  memory_.Put<uint64_t>(old + layout_.thread.interpreter, 0x1230);
  ASSERT_TRUE(Read());
  EXPECT_EQ(count_, 1u);
}

TEST_F(ThreadsTest, UnreadableRuntimeFails) {
  runtime_ = 0x40;
  EXPECT_FALSE(Read());
}

class GilTest : public ThreadsTest {
 protected:
  GilTest() : interpreter_(AddInterpreter()), tstate_(AddThread(interpreter_, 1)) {
    gil_ = memory_.Allocate(256);
    memory_.Put(interpreter_ + layout_.interpreter.gil, gil_);
    memory_.Put(gil_ + layout_.gil.last_holder, tstate_);
  }
  uint64_t Holder() { return ReadGilHolder(layout_, memory_, runtime_, tstate_); }

  uint64_t interpreter_, tstate_, gil_;
};

TEST_F(GilTest, RangeIsTheGilOfTheInterpreter) {
  AddressRange range;
  ASSERT_TRUE(ReadGilRange(layout_, memory_, runtime_, tstate_, &range));
  EXPECT_TRUE(range.Contains(gil_) && range.Contains(gil_ + layout_.gil.size - 1));
  EXPECT_FALSE(range.Contains(gil_ + layout_.gil.size));
}

TEST_F(GilTest, LastHolderHoldsOnlyWhileLocked) {
  EXPECT_EQ(Holder(), 0u);
  memory_.Put<int32_t>(gil_ + layout_.gil.locked, 1);
  EXPECT_EQ(Holder(), tstate_);
}

TEST_F(GilTest, FreeThreadedBuildHasNoneWhileItIsOff) {
  layout_.gil.enabled = 200;
  AddressRange range;
  EXPECT_FALSE(ReadGilRange(layout_, memory_, runtime_, tstate_, &range));
  memory_.Put<int32_t>(gil_ + 200, 1);
  EXPECT_TRUE(ReadGilRange(layout_, memory_, runtime_, tstate_, &range));
}

}  // namespace
}  // namespace pyrometer::cpython
