// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/classify.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cstring>

#include "format/memory_sink.h"

namespace pyrometer::capture {
namespace {

using format::Activity;

class ClassifyTest : public testing::Test {
 protected:
  ClassifyTest() : writer_(sink_, {}), stacks_(writer_), modules_(stacks_) {
    Module(1, "/usr/lib/libpython3.12.so.1.0", true);
    Module(2, "/usr/lib/libc.so.6", false);
    Module(3, "/x/numpy.so", false);
  }
  void Module(uint32_t slot, const std::string& path, bool runtime) {
    transport::ModuleRecord record{};
    record.slot = slot;
    record.is_runtime = runtime ? 1 : 0;
    record.path_bytes = static_cast<uint32_t>(path.size());
    std::vector<uint8_t> bytes(sizeof record);
    std::memcpy(bytes.data(), &record, sizeof record);
    bytes.insert(bytes.end(), path.begin(), path.end());
    ASSERT_TRUE(modules_.Define(bytes));
  }
  // 'p' Python, 'r' runtime, 'c' libc, 'n' another module, 'j' no module; root first.
  Activity Classify(const std::string& stack, uint8_t opcode, uint32_t flags = 0) {
    std::vector<transport::StackFrame> frames;
    for (char c : stack) {
      if (c == 'p') {
        frames.push_back({0, transport::StackFrame::kPython, 0});
      } else {
        const uint32_t module = c == 'r' ? 1 : c == 'c' ? 2 : c == 'n' ? 3 : transport::kNoModule;
        frames.push_back({0x1000, transport::StackFrame::kNative, module});
      }
    }
    const InterpreterJit jit(layout_, environment_);
    return ClassifyOnCpu(frames, flags, opcode, layout_, modules_, jit);
  }

  cpython::Layout layout_ = *cpython::FindLayout(0x030800f0);
  std::vector<std::string> environment_;
  format::MemorySink sink_;
  format::CaptureWriter writer_;
  StackTable stacks_;
  ModuleCache modules_;
};

constexpr uint8_t kCallFunction = 131;  // of 3.8
constexpr uint8_t kBinaryAdd = 23;

TEST_F(ClassifyTest, BytecodeIsPython) { EXPECT_EQ(Classify("rp", kBinaryAdd), Activity::kPython); }

TEST_F(ClassifyTest, WorkOfAnOperatorInsideTheInterpreterIsPython) {
  EXPECT_EQ(Classify("rpr", kBinaryAdd), Activity::kPython);
  EXPECT_EQ(Classify("rprc", kBinaryAdd), Activity::kPython);
}

TEST_F(ClassifyTest, ACalledCFunctionIsNative) {
  EXPECT_EQ(Classify("rpr", kCallFunction), Activity::kNative);
  EXPECT_EQ(Classify("rprc", kCallFunction), Activity::kNative);
}

TEST_F(ClassifyTest, AnotherModuleIsNativeUnderAnyInstruction) {
  EXPECT_EQ(Classify("rprn", kBinaryAdd), Activity::kNative);
  EXPECT_EQ(Classify("rprnc", kBinaryAdd), Activity::kNative);
}

TEST_F(ClassifyTest, GeneratedCodeIsNative) {
  EXPECT_EQ(Classify("rpj", kBinaryAdd), Activity::kNative);
  layout_.minor = 14;
  EXPECT_EQ(Classify("rprj", kBinaryAdd), Activity::kNative);
  EXPECT_EQ(Classify("rpnj", kBinaryAdd), Activity::kNative);
  EXPECT_EQ(Classify("j", kBinaryAdd), Activity::kNative);
}

TEST_F(ClassifyTest, WhatTheInterpretersJitMadeOfBytecodeIsBytecode) {
  layout_.minor = 14;
  // The instruction of the frame is the last that has called something.
  constexpr uint8_t kCallFunctionEx = 4;  // of 3.14
  ASSERT_TRUE(cpython::IsCallOpcode(layout_, kCallFunctionEx));
  EXPECT_EQ(Classify("rpj", kCallFunctionEx), Activity::kPython);
  EXPECT_EQ(Classify("rpjj", kCallFunctionEx), Activity::kPython);
  EXPECT_EQ(Classify("rpjr", kBinaryAdd), Activity::kPython);
  EXPECT_EQ(Classify("rpjr", kCallFunctionEx), Activity::kNative);
  EXPECT_EQ(Classify("rpjn", kBinaryAdd), Activity::kNative);
}

TEST_F(ClassifyTest, GeneratedCodeWithoutACallerIsTheInterpretersIfItsJitIsOn) {
  layout_.minor = 14;
  EXPECT_EQ(Classify("pj", kBinaryAdd, transport::kEndsOutside), Activity::kNative);
  environment_ = {"PYTHON_JIT=0"};
  EXPECT_EQ(Classify("pj", kBinaryAdd, transport::kEndsOutside), Activity::kNative);
  environment_ = {"PYTHON_JIT=1"};
  EXPECT_EQ(Classify("pj", kBinaryAdd, transport::kEndsOutside), Activity::kPython);
  layout_.minor = 12;
  EXPECT_EQ(Classify("pj", kBinaryAdd, transport::kEndsOutside), Activity::kNative);
}

TEST_F(ClassifyTest, AThreadWithoutPythonIsNative) {
  EXPECT_EQ(Classify("cn", 0), Activity::kNative);
}

TEST_F(ClassifyTest, ATickInTheKernelIsKernel) {
  EXPECT_EQ(Classify("rpc", kCallFunction, transport::kInKernel), Activity::kKernel);
}

Activity Blocked(long number, uint64_t arg0 = 0, uint64_t arg1 = 0) {
  os::BlockedCall call;
  call.number = number;
  call.args[0] = arg0;
  call.args[1] = arg1;
  return ClassifyBlocked(call, 0x1000, 0x1100);
}

TEST(ClassifyBlocked, TellsTheGilFromOtherLocks) {
  EXPECT_EQ(Blocked(SYS_futex, 0x1010), Activity::kGilWait);
  EXPECT_EQ(Blocked(SYS_futex, 0x2000), Activity::kLockWait);
}

TEST(ClassifyBlocked, KnowsSleepsChildrenAndIo) {
  EXPECT_EQ(Blocked(SYS_clock_nanosleep), Activity::kSleep);
  EXPECT_EQ(Blocked(SYS_pselect6, 0), Activity::kSleep);
  EXPECT_EQ(Blocked(SYS_pselect6, 5), Activity::kIoWait);
  EXPECT_EQ(Blocked(SYS_wait4), Activity::kChildWait);
  EXPECT_EQ(Blocked(SYS_read), Activity::kIoWait);
  EXPECT_EQ(Blocked(-1), Activity::kOtherWait);
}

}  // namespace
}  // namespace pyrometer::capture
