// SPDX-License-Identifier: Apache-2.0
#include "format/capture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "format/capture_reader.h"
#include "format/layout.h"
#include "format/memory_sink.h"
#include "format/testing/small_capture.h"
#include "format/testing/text_dump.h"

namespace pyrometer::format {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TextDump;

class CaptureWriterTest : public ::testing::Test {
 protected:
  // What the file says, by kind of record.
  std::vector<std::string> Read(std::string_view kind) {
    TextDump dump;
    report_ = CaptureReader::Read(sink_.bytes(), dump);
    EXPECT_EQ(report_.bytes_lost, 0u);
    EXPECT_EQ(report_.records_invalid, 0u);
    return dump.LinesOf(kind);
  }
  std::vector<std::string> FlushAndRead(std::string_view kind) {
    EXPECT_TRUE(writer_.Flush().ok());
    return Read(kind);
  }

  MemorySink sink_;
  CaptureWriter writer_{sink_, testing::SmallRun()};
  ReadReport report_;
};

TEST_F(CaptureWriterTest, RunIsReadableAtOnce) {
  EXPECT_THAT(
      Read("run"),
      ElementsAre("run version='0.1.0' command=['app.py' '--fast'] directory='/home/user' "
                  "system='Linux 6.1 x86_64' start=1700000000000000000 options='rate=250'"));
}

TEST_F(CaptureWriterTest, StringsAreWrittenOnce) {
  EXPECT_EQ(writer_.Intern("a"), StringId(1));
  EXPECT_EQ(writer_.Intern("b"), StringId(2));
  EXPECT_EQ(writer_.Intern("a"), StringId(1));
  EXPECT_EQ(writer_.Intern(""), kEmptyString);
  EXPECT_THAT(FlushAndRead("string"), ElementsAre("string 1 'a'", "string 2 'b'"));
  EXPECT_EQ(writer_.Intern("b"), StringId(2));
  EXPECT_THAT(FlushAndRead("string"), SizeIs(2));
}

TEST_F(CaptureWriterTest, IdsGoOnAcrossBlocks) {
  EXPECT_EQ(writer_.AddCode({.first_line = 5}), CodeId(0));
  ASSERT_TRUE(writer_.Flush().ok());
  EXPECT_EQ(writer_.AddCode({.first_line = 6}), CodeId(1));
  EXPECT_THAT(FlushAndRead("code"),
              ElementsAre("code 0 file=0 name=0 line=5", "code 1 file=0 name=0 line=6"));
}

TEST_F(CaptureWriterTest, Process) {
  writer_.AddProcess({.pid = 7,
                      .parent_pid = 6,
                      .start_ns = 5,
                      .argv = {"python", ""},
                      .executable = "/bin/py",
                      .interpreter = "CPython 3.14",
                      .clock = "perf",
                      .sample_period_ns = 1000});
  EXPECT_THAT(FlushAndRead("process"),
              ElementsAre("process 0 pid=7 parent=6 start=5 argv=['python' ''] "
                          "executable='/bin/py' interpreter='CPython 3.14' clock='perf' "
                          "period=1000"));
}

TEST_F(CaptureWriterTest, Thread) {
  writer_.AddThread({.process = ProcessId(3), .tid = 9, .start_ns = 8, .name = "T"});
  EXPECT_THAT(FlushAndRead("thread"), ElementsAre("thread 0 process=3 tid=9 start=8 name='T'"));
}

TEST_F(CaptureWriterTest, Module) {
  writer_.AddModule({.path = StringId(4), .build_id = std::string("\0\xfe", 2)});
  EXPECT_THAT(FlushAndRead("module"), ElementsAre(R"(module 0 path=4 build_id='\x00\xfe')"));
}

TEST_F(CaptureWriterTest, FramesOfEveryKind) {
  writer_.AddFrame({.kind = FrameKind::kPython, .code = CodeId(1), .line = 70000});
  writer_.AddFrame({.kind = FrameKind::kNative, .module = ModuleId(2), .address = 0x1234});
  writer_.AddFrame({.kind = FrameKind::kSpecial, .name = StringId(3)});
  EXPECT_THAT(FlushAndRead("frame"),
              ElementsAre("frame 0 python code=1 line=70000",
                          "frame 1 native module=2 address=0x1234", "frame 2 special name=3"));
}

TEST_F(CaptureWriterTest, Stacks) {
  const StackId root = writer_.AddStack({.parent = kEmptyStack, .frame = FrameId(9)});
  writer_.AddStack({.parent = root, .frame = FrameId(8)});
  EXPECT_THAT(FlushAndRead("stack"),
              ElementsAre("stack 1 parent=0 frame=9", "stack 2 parent=1 frame=8"));
}

TEST_F(CaptureWriterTest, Sample) {
  writer_.AddSample({.time_ns = 10,
                     .thread = ThreadId(1),
                     .stack = StackId(2),
                     .activity = Activity::kGilWait,
                     .weight_ns = 3,
                     .count = 4});
  EXPECT_THAT(FlushAndRead("sample"),
              ElementsAre("sample time=10 thread=1 stack=2 activity=5 weight=3 count=4"));
}

TEST_F(CaptureWriterTest, Symbol) {
  writer_.AddSymbol({.frame = FrameId(5), .lines = {{StringId(1), StringId(2), 3}, {}}});
  EXPECT_THAT(FlushAndRead("symbol"), ElementsAre("symbol frame=5 lines=[1@2:3 0@0:0]"));
}

TEST_F(CaptureWriterTest, Source) {
  writer_.AddSource({.path = StringId(5), .text = "x = 1\n"});
  EXPECT_THAT(FlushAndRead("source"), ElementsAre(R"(source path=5 'x = 1\x0a')"));
}

TEST_F(CaptureWriterTest, Counter) {
  writer_.AddCounter(
      {.process = ProcessId(1), .kind = CounterKind::kCost, .name = "n", .value = 2});
  EXPECT_THAT(FlushAndRead("counter"), ElementsAre("counter process=1 kind=1 'n' 2"));
}

TEST_F(CaptureWriterTest, MemoryChange) {
  writer_.AddMemoryChange({.time_ns = 1,
                           .thread = ThreadId(2),
                           .stack = StackId(3),
                           .kind = MemoryKind::kMapped,
                           .allocated = {4, 5, 6, 7},
                           .freed = {8, 9, 10, 11},
                           .high_bytes = 12});
  EXPECT_THAT(FlushAndRead("memory_change"),
              ElementsAre("memory_change time=1 thread=2 stack=3 kind=2 allocated=4/5/6/7 "
                          "freed=8/9/10/11 high=12"));
}

TEST_F(CaptureWriterTest, LiveMemory) {
  const std::vector<LiveMemory> parts = {{.thread = ThreadId(2),
                                          .stack = StackId(3),
                                          .kind = MemoryKind::kNative,
                                          .type = StringId(4),
                                          .amount = {5, 6, 7, 8}},
                                         {}};
  writer_.AddMemoryPeak({.process = ProcessId(1), .time_ns = 9, .parts = parts});
  writer_.AddMemorySurvivors({.process = ProcessId(1), .time_ns = 10, .parts = parts});
  EXPECT_THAT(FlushAndRead("memory_peak"),
              ElementsAre("memory_peak process=1 time=9 parts=[2:3:1:0=5/6/7/8 0:0:0:0=0/0/0/0]"));
  EXPECT_THAT(
      Read("memory_survivors"),
      ElementsAre("memory_survivors process=1 time=10 parts=[2:3:1:4=5/6/7/8 0:0:0:0=0/0/0/0]"));
}

TEST_F(CaptureWriterTest, VeryManyPartsOfAPeakFitIntoABlock) {
  const LiveMemory large = {.thread = ThreadId(UINT32_MAX),
                            .stack = StackId(UINT32_MAX),
                            .amount = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  writer_.AddMemoryPeak({.parts = std::vector<LiveMemory>(2 * kMaxLiveParts, large)});
  EXPECT_THAT(FlushAndRead("memory_peak"), SizeIs(1));
}

TEST_F(CaptureWriterTest, MemoryLevel) {
  writer_.AddMemoryLevel({.process = ProcessId(1),
                          .time_ns = 2,
                          .rss_bytes = 3,
                          .pss_bytes = 4,
                          .python_bytes = 5,
                          .native_bytes = 6,
                          .mapped_bytes = 7,
                          .arena_bytes = 8,
                          .small_bytes = 9});
  EXPECT_THAT(FlushAndRead("memory_level"),
              ElementsAre("memory_level process=1 time=2 rss=3 pss=4 python=5 native=6 mapped=7 "
                          "arenas=8 small=9"));
}

TEST_F(CaptureWriterTest, Ends) {
  writer_.EndThread({.thread = ThreadId(1), .end_ns = 2, .cpu_ns = 3, .name = "x"});
  writer_.EndProcess({.process = ProcessId(1),
                      .end_ns = 2,
                      .exit_code = -1,
                      .exit_signal = 11,
                      .user_cpu_ns = 3,
                      .system_cpu_ns = 4,
                      .peak_rss_bytes = 5});
  EXPECT_THAT(FlushAndRead("thread_end"), ElementsAre("thread_end thread=1 end=2 cpu=3 name='x'"));
  EXPECT_THAT(Read("process_end"),
              ElementsAre("process_end process=1 end=2 exit=-1 signal=11 user=3 system=4 "
                          "peak_rss=5"));
}

TEST_F(CaptureWriterTest, OnlyFinishIsAnOrderlyEnd) {
  EXPECT_THAT(FlushAndRead("run_end"), IsEmpty());
  EXPECT_FALSE(report_.orderly_end);
  ASSERT_TRUE(writer_.Finish({.end_ns = 77}).ok());
  EXPECT_THAT(Read("run_end"), ElementsAre("run_end 77"));
  EXPECT_TRUE(report_.orderly_end);
}

TEST_F(CaptureWriterTest, FlushOfNothingWritesNothing) {
  const size_t before = sink_.bytes().size();
  ASSERT_TRUE(writer_.Flush().ok());
  EXPECT_EQ(sink_.bytes().size(), before);
}

TEST_F(CaptureWriterTest, LargeBatchesAreWrittenByThemselves) {
  for (int i = 0; i < 20000; ++i) writer_.Intern("a rather long name " + std::to_string(i));
  const size_t strings = Read("string").size();
  EXPECT_GT(strings, 10000u);
  for (int i = 0; i < 20000; ++i) writer_.AddSample({});
  EXPECT_GT(Read("sample").size(), 10000u);
  // The definitions that the samples may use went first.
  EXPECT_THAT(Read("string"), SizeIs(20000));
}

TEST_F(CaptureWriterTest, OverlongTextIsCutAndOverlongSourceLeftOut) {
  const std::string huge(kMaxTextBytes + 1, 'x');
  writer_.EndThread({.name = huge});
  writer_.AddProcess({.argv = std::vector<std::string>(20, huge)});
  writer_.AddSource({.text = std::string(kMaxSourceBytes + 1, 'x')});
  EXPECT_THAT(FlushAndRead("source"), IsEmpty());
  const size_t process_bytes = Read("process").at(0).size();
  EXPECT_GT(process_bytes, kMaxListBytes - kMaxTextBytes);
  EXPECT_LT(process_bytes, kMaxListBytes + 200);
  EXPECT_THAT(Read("thread_end"), ElementsAre(SizeIs(::testing::Lt(kMaxTextBytes + 100))));
}

TEST_F(CaptureWriterTest, EmptyTextsCountAsWell) {
  writer_.AddProcess({.argv = std::vector<std::string>(3'000'000)});
  const std::vector<std::string> processes = FlushAndRead("process");
  ASSERT_THAT(processes, SizeIs(1));
  // Each shows as two quotes and a blank.
  EXPECT_LT(processes[0].size(), kMaxListBytes + 200);
}

// Accepts so many appends, then fails, each time with another message.
class FailingSink : public Sink {
 public:
  explicit FailingSink(int good) : good_(good) {}
  base::Status Append(std::span<const uint8_t> bytes) override {
    ++calls_;
    if (calls_ > good_) return base::Error{"failure " + std::to_string(calls_ - good_)};
    accepted_.insert(accepted_.end(), bytes.begin(), bytes.end());
    return {};
  }
  int calls() const { return calls_; }
  const std::vector<uint8_t>& accepted() const { return accepted_; }

 private:
  int good_;
  int calls_ = 0;
  std::vector<uint8_t> accepted_;
};

class FailingSinkTest : public ::testing::TestWithParam<int> {};

TEST_P(FailingSinkTest, FirstFailureIsFinal) {
  FailingSink sink(GetParam());
  CaptureWriter writer(sink, testing::SmallRun());
  testing::WriteSmallRun(writer);
  writer.Intern("more");
  const base::Status status = writer.Flush();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "failure 1");
  EXPECT_EQ(writer.Finish({}).error().message, "failure 1");
  EXPECT_EQ(sink.calls(), GetParam() + 1);
}

TEST_P(FailingSinkTest, WhatWasAcceptedIsReadable) {
  FailingSink sink(GetParam());
  CaptureWriter writer(sink, testing::SmallRun());
  testing::WriteSmallRun(writer);
  TextDump dump;
  EXPECT_EQ(CaptureReader::Read(sink.accepted(), dump).bytes_lost, 0u);
}

TEST(DeadSinkTest, IdsGoOnWithoutRecords) {
  FailingSink sink(0);
  CaptureWriter writer(sink, {});
  EXPECT_EQ(writer.AddFrame({}), FrameId(0));
  EXPECT_EQ(writer.AddFrame({}), FrameId(1));
  EXPECT_EQ(writer.AddStack({}), StackId(1));
  EXPECT_EQ(writer.AddStack({}), StackId(2));
}

// Before the header, the run, each table, the samples, the second flush.
INSTANTIATE_TEST_SUITE_P(AfterSomeBlocks, FailingSinkTest, ::testing::Range(0, 20));

}  // namespace
}  // namespace pyrometer::format
