// SPDX-License-Identifier: Apache-2.0
#include "profile/profile_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "format/block_scanner.h"
#include "format/block_writer.h"
#include "format/memory_sink.h"
#include "format/testing/small_capture.h"
#include "profile/testing/check_invariants.h"
#include "profile/testing/values_of.h"

namespace pyrometer::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Bytes = std::vector<uint8_t>;

Profile Load(std::span<const uint8_t> file) {
  base::Result<Profile> profile = LoadProfile(file);
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(testing::BrokenInvariant(profile.value()), "");
  return std::move(profile).value();
}

// The small capture without its n-th block of a type.
Bytes Without(format::BlockType type, int n) {
  const Bytes file = format::testing::SmallCapture();
  Bytes kept(file.begin(), file.begin() + format::kFileHeaderBytes);
  format::BlockScanner scanner(file, format::kFileHeaderBytes);
  while (const auto block = scanner.Next()) {
    if (static_cast<format::BlockType>(block->type) == type && n-- == 0) continue;
    const uint8_t* begin = block->payload.data() - format::kBlockHeaderBytes;
    kept.insert(kept.end(), begin, begin + block->file_bytes());
  }
  EXPECT_LT(kept.size(), file.size());
  return kept;
}

class SmallProfileTest : public ::testing::Test {
 protected:
  const Profile profile_ = Load(format::testing::SmallCapture());
};

TEST_F(SmallProfileTest, IsComplete) {
  EXPECT_EQ(profile_.run.pyrometer_version, "0.1.0");
  EXPECT_EQ(profile_.run_end->end_ns, 23'000'000u);
  EXPECT_THAT(profile_.strings, SizeIs(10));
  EXPECT_THAT(profile_.processes, SizeIs(2));
  EXPECT_THAT(profile_.threads, SizeIs(2));
  EXPECT_THAT(profile_.stacks, SizeIs(4));
  EXPECT_TRUE(profile_.load.orderly_end);
  EXPECT_EQ(profile_.load.bytes_lost, 0u);
  EXPECT_EQ(profile_.load.records_invalid, 0u);
}

TEST_F(SmallProfileTest, SamplesAreColumns) {
  EXPECT_THAT(profile_.samples.time_ns,
              ElementsAre(4'000'001, 8'000'002, 12'000'003, 20'000'000, 19'000'000, 20'500'000));
  EXPECT_THAT(testing::ValuesOf(profile_.samples.weight_ns),
              ElementsAre(3'999'999, 3'999'998, 3'999'997, 0, 500, 9));
  EXPECT_THAT(testing::ValuesOf(profile_.samples.count), ElementsAre(1, 1, 1, 7, 1, 1));
  EXPECT_EQ(profile_.samples.task[5], format::TaskId(0));
  EXPECT_FALSE(profile_.samples.task[0].has_value());
}

TEST_F(SmallProfileTest, EndsStandBesideTheirBeginnings) {
  EXPECT_EQ(profile_.processes[0].end->exit_code, 3);
  EXPECT_EQ(profile_.processes[1].end->exit_signal, 9);
  EXPECT_FALSE(profile_.threads[0].end.has_value());
  EXPECT_EQ(profile_.threads[1].end->name, "worker");
}

TEST_F(SmallProfileTest, LaterCountersReplaceEarlierOnes) {
  ASSERT_THAT(profile_.counters, SizeIs(3));
  EXPECT_EQ(metric::IdOf(profile_.counters[0].key), "ring full");
  EXPECT_EQ(profile_.counters[0].value, 5u);
}

TEST_F(SmallProfileTest, NamesAreFoundThroughTheTables) {
  const format::StackInfo& leaf = profile_.stacks[profile_.samples.stack[1].value];
  const format::FrameInfo& caller = profile_.frames[profile_.stacks[leaf.parent.value].frame.value];
  EXPECT_EQ(profile_.Text(profile_.codes[caller.code.value].qualname), "Loop.run");
  EXPECT_EQ(profile_.symbols[0].frame, leaf.frame);
  EXPECT_EQ(profile_.Text(profile_.symbols[0].lines[1].function), "inflate");
}

TEST_F(SmallProfileTest, TasksHaveTheirLastName) {
  ASSERT_THAT(profile_.tasks, SizeIs(1));
  EXPECT_EQ(profile_.tasks[0].info.name.number, 3u);
  EXPECT_EQ(profile_.Text(profile_.tasks[0].name().text), "copy");
  ASSERT_THAT(profile_.awaits, SizeIs(1));
  EXPECT_EQ(profile_.awaits[0].state, format::AwaitState::kReady);
  ASSERT_THAT(profile_.loop_blocks, SizeIs(1));
  EXPECT_EQ(profile_.loop_blocks[0].length_ns, 60'000'000u);
}

// Writes what `add` adds to the small run, and loads it.
Profile WithMore(const std::function<void(format::CaptureWriter&)>& add) {
  format::MemorySink sink;
  format::CaptureWriter writer(sink, format::testing::SmallRun());
  format::testing::WriteSmallRun(writer);
  add(writer);
  static_cast<void>(writer.Finish({}));
  return Load(sink.bytes());
}

// Whether a run with one sample, at 20 ms, and a snapshot counts as still running.
bool StillRunning(uint64_t snapshot_ns, bool finish) {
  format::MemorySink sink;
  format::CaptureWriter writer(sink, format::testing::SmallRun());
  const format::ThreadId thread = writer.AddThread({.process = writer.AddProcess({.pid = 7})});
  writer.AddSample({.time_ns = 20'000'000, .thread = thread, .weight_ns = 1});
  writer.AddCounter(
      {.kind = format::CounterKind::kFact, .name = "snapshot_at", .value = snapshot_ns});
  static_cast<void>(finish ? writer.Finish({}) : writer.Flush());
  return Load(sink.bytes()).load.still_running;
}

TEST(SnapshotTest, IsOfARunThatGoesOnWhenNothingIsNewer) {
  EXPECT_TRUE(StillRunning(20'000'000, false));
  EXPECT_FALSE(StillRunning(19'999'999, false));
  EXPECT_FALSE(StillRunning(20'000'000, true));
}

TEST(SnapshotTest, IsOlderThanTheRestOfARecordingOfMemory) {
  format::MemorySink sink;
  format::CaptureWriter writer(sink, format::testing::SmallRun());
  writer.AddMemoryLevel({.process = writer.AddProcess({.pid = 7}), .time_ns = 20});
  writer.AddCounter({.kind = format::CounterKind::kFact, .name = "snapshot_at", .value = 19});
  static_cast<void>(writer.Flush());
  EXPECT_FALSE(Load(sink.bytes()).load.still_running);
}

TEST(TasksTest, OfNothingKnownAreInvalid) {
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    writer.AddTask({.process = format::ProcessId(9)});
    writer.AddTask({.coroutine = format::CodeId(99)});
    writer.EndTask({.task = format::TaskId(9)});
    writer.AddAwait({.task = format::TaskId(9)});
    writer.AddAwait({.task = format::TaskId(0), .stack = format::StackId(99)});
    writer.AddAwait({.task = format::TaskId(0), .wait_ns = ~uint64_t{0}});
    writer.AddLoopBlock({.thread = format::ThreadId(9)});
    writer.AddSample({.task = format::TaskId(9)});
  });
  EXPECT_EQ(profile.load.records_invalid, 8u);
  EXPECT_THAT(profile.tasks, SizeIs(1));
  EXPECT_THAT(profile.awaits, SizeIs(1));
  EXPECT_THAT(profile.loop_blocks, SizeIs(1));
}

// Thread 1 is the only one of process 1.
constexpr format::ThreadId kChildThread{1};
constexpr format::ProcessId kChild{1};

TEST(MetricsTest, AreThoseOfTheFile) {
  const Profile profile = Load(format::testing::SmallCapture());
  EXPECT_EQ(testing::BrokenInvariant(profile), "");
  ASSERT_THAT(profile.metrics.declared(), SizeIs(1));
  EXPECT_EQ(profile.metrics.declared()[0].name, "cache_hits");
  EXPECT_EQ(metric::UnitName(profile.metrics.declared()[0]), "hits");
  ASSERT_THAT(profile.amounts, SizeIs(2));
  EXPECT_EQ(profile.amounts[0].value, 12u);
  EXPECT_FALSE(profile.amounts[0].time_ns);
  EXPECT_EQ(profile.amounts[1].time_ns, 15'000'000u);
}

TEST(MetricsTest, WhatIsKnownAsSomethingElseOrNotAtAllIsInvalid) {
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    const format::MetricId cpu = writer.AddMetric({.name = writer.Intern("cpu")});
    writer.AddMetricAmount({.metric = cpu, .value = 1});
    writer.AddMetricAmount({.metric = format::MetricId(9), .value = 1});
    writer.AddMetricAmount({.thread = format::ThreadId(99), .value = 1});
    writer.AddMetricAmount({.stack = format::StackId(99), .value = 1});
    writer.AddMetricAmount({.time_ns = uint64_t{1} << 61, .value = 1});
    writer.AddMetricAmount({.count = uint64_t{1} << 61});
    writer.AddMetricAmount({.value = 5});
  });
  EXPECT_EQ(profile.load.records_invalid, 7u);
  ASSERT_THAT(profile.amounts, SizeIs(3));
  EXPECT_EQ(profile.amounts[2].value, 5u);
}

TEST(MemoryTest, LaterPeaksAndSurvivorsReplaceEarlierOnes) {
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    writer.AddMemoryPeak({.process = kChild, .time_ns = 5, .parts = {{.thread = kChildThread}}});
    writer.AddMemorySurvivors({.process = kChild, .time_ns = 6});
  });
  ASSERT_THAT(profile.memory_peaks, SizeIs(1));
  EXPECT_EQ(profile.memory_peaks[0].time_ns, 5u);
  EXPECT_THAT(profile.memory_peaks[0].parts, SizeIs(1));
  ASSERT_THAT(profile.memory_survivors, SizeIs(2));
  EXPECT_EQ(profile.memory_survivors[0].time_ns, 6u);
  EXPECT_THAT(profile.memory_survivors[0].parts, IsEmpty());
}

TEST(MemoryTest, ChangesOfNothingKnownAreInvalid) {
  constexpr uint64_t kAbsurd = uint64_t{1} << 61;
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    writer.AddMemoryChange({.thread = format::ThreadId(9)});
    writer.AddMemoryChange({.stack = format::StackId(99)});
    writer.AddMemoryChange({.time_ns = kAbsurd});
    writer.AddMemoryChange({.allocated = {.bytes = kAbsurd}});
    writer.AddMemoryChange({.allocated = {.blocks = kAbsurd}});
    writer.AddMemoryChange({.freed = {.samples = kAbsurd}});
    writer.AddMemoryChange({.freed = {.variance_kib2 = kAbsurd}});
    writer.AddMemoryChange({.high_bytes = kAbsurd});
    writer.AddMemoryLevel({.process = format::ProcessId(9)});
    writer.AddMemoryLevel({.time_ns = kAbsurd});
    writer.AddMemoryLevel({.small_bytes = kAbsurd});
  });
  EXPECT_EQ(profile.load.records_invalid, 11u);
  EXPECT_THAT(profile.memory_changes, SizeIs(3));
  EXPECT_THAT(profile.memory_levels, SizeIs(1));
}

TEST(MemoryTest, APartOfNothingKnownTakesTheWholeAlong) {
  const auto refused = [](const format::LiveMemory& part) {
    const Profile profile = WithMore([&](format::CaptureWriter& writer) {
      writer.AddMemoryPeak({.process = kChild, .parts = {part}});
      writer.AddMemorySurvivors({.process = kChild, .parts = {part}});
    });
    EXPECT_EQ(profile.memory_peaks[0].time_ns != 0, profile.memory_survivors[0].time_ns != 0);
    return profile.load.records_invalid == 2;
  };
  EXPECT_FALSE(refused({.thread = kChildThread}));
  EXPECT_TRUE(refused({.thread = format::ThreadId(0)}));
  EXPECT_TRUE(refused({.thread = format::ThreadId(9)}));
  EXPECT_TRUE(refused({.thread = kChildThread, .stack = format::StackId(99)}));
  EXPECT_TRUE(refused({.thread = kChildThread, .amount = {.bytes = uint64_t{1} << 61}}));
}

TEST(GilWaitsTest, AddUpByThreads) {
  const format::ThreadId thread(0);
  const Profile profile = WithMore([&](format::CaptureWriter& writer) {
    writer.AddGilWait({.waiter = thread, .holder = thread, .wait_ns = 3, .count = 4});
    writer.AddGilWait({.waiter = thread, .holder = {}, .wait_ns = 9, .count = 1});
  });
  ASSERT_EQ(profile.gil_waits.size(), 3u);
  EXPECT_EQ(profile.gil_waits[0].wait_ns, 5'000'003u);
  EXPECT_EQ(profile.gil_waits[0].count, 6u);
  EXPECT_EQ(profile.gil_waits[2].wait_ns, 9u);
}

TEST(GilWaitsTest, OfTwoProcessesOrOfNobodyAreInvalid) {
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    writer.AddGilWait({.waiter = format::ThreadId(0), .holder = format::ThreadId(1)});
    writer.AddGilWait({.waiter = format::ThreadId(7)});
    writer.AddGilWait({.waiter = format::ThreadId(0), .holder = format::ThreadId(7)});
    writer.AddGilWait({.waiter = format::ThreadId(0), .wait_ns = ~uint64_t{0}});
    writer.AddGilWait({.waiter = format::ThreadId(0), .wait_ns = 1, .count = 0});
  });
  EXPECT_EQ(profile.load.records_invalid, 5u);
}

TEST(ProfiledFunctionsTest, AreOneForEachCode) {
  // The small capture has code 0 inside a marked function.
  const Profile profile = WithMore([](format::CaptureWriter& writer) {
    writer.AddProfiledFunction({.code = format::CodeId(0)});
    writer.AddProfiledFunction({.code = format::CodeId(0), .inner = true});
    writer.AddProfiledFunction({.code = format::CodeId(7)});
  });
  ASSERT_EQ(profile.profiled_functions.size(), 1u);
  EXPECT_FALSE(profile.profiled_functions[0].inner);
  EXPECT_EQ(profile.load.records_invalid, 1u);
}

TEST(DamagedProfileTest, LostDefinitionsTakeTheirUsersAlong) {
  // Without the first strings there is no code, no frame 0 and 1, no stack 1
  // and 2, no sample of them, no symbol, no source and no profiled function.
  const Profile profile = Load(Without(format::BlockType::kStrings, 0));
  EXPECT_THAT(profile.strings,
              ElementsAre("", "<no Python>", "inflate.c", "copy", "inflate", "cache_hits", "hits"));
  EXPECT_THAT(profile.codes, IsEmpty());
  EXPECT_THAT(profile.frames, SizeIs(1));
  EXPECT_THAT(profile.samples.time_ns, ElementsAre(20'000'000, 19'000'000));
  EXPECT_EQ(profile.load.records_invalid, 17u);
}

TEST(DamagedProfileTest, LaterDefinitionsKeepTheirMeaning) {
  const Profile profile = Load(Without(format::BlockType::kFrames, 0));
  const format::StackInfo& stack = profile.stacks[profile.samples.stack[0].value];
  EXPECT_EQ(profile.Text(profile.frames[stack.frame.value].name), "<no Python>");
}

TEST(DamagedProfileTest, LostProcessTakesItsThreadsAlong) {
  const Profile profile = Load(Without(format::BlockType::kProcesses, 0));
  EXPECT_THAT(profile.processes, SizeIs(1));
  ASSERT_THAT(profile.threads, SizeIs(1));
  EXPECT_EQ(profile.threads[0].info.tid, 4250u);
  EXPECT_THAT(testing::ValuesOf(profile.samples.thread), ElementsAre(format::ThreadId(0)));
}

TEST(DamagedProfileTest, AnyMissingBlockLeavesASoundProfile) {
  for (int type = 1; type <= 28; ++type) {
    Load(Without(static_cast<format::BlockType>(type), 0));
  }
}

TEST(DamagedProfileTest, AnyCutLeavesASoundProfile) {
  const Bytes file = format::testing::SmallCapture();
  // Up to the end of the first block there is nothing to load.
  const size_t first = Without(format::BlockType::kRun, 0).size();
  for (size_t size = format::kFileHeaderBytes + file.size() - first; size < file.size(); ++size) {
    EXPECT_FALSE(Load(std::span(file).first(size)).load.orderly_end);
  }
}

TEST(DamagedProfileTest, AnyDamagedByteLeavesASoundProfile) {
  Bytes file = format::testing::SmallCapture();
  for (uint8_t& byte : file) {
    byte ^= 0x40;
    EXPECT_GT(Load(file).load.bytes_lost, 0u);
    byte ^= 0x40;
  }
}

TEST(AbsurdSampleTest, IsDropped) {
  const auto loads = [](const format::Sample& sample) {
    format::MemorySink sink;
    format::CaptureWriter writer(sink, {});
    writer.AddThread({.process = writer.AddProcess({})});
    writer.AddSample(sample);
    EXPECT_TRUE(writer.Flush().ok());
    return Load(sink.bytes()).samples.size() == 1;
  };
  EXPECT_TRUE(loads({}));
  EXPECT_FALSE(loads({.count = 0}));
  EXPECT_FALSE(loads({.time_ns = uint64_t{1} << 63}));
  EXPECT_FALSE(loads({.weight_ns = uint64_t{1} << 63}));
  EXPECT_FALSE(loads({.thread = format::ThreadId(1)}));
  EXPECT_FALSE(loads({.stack = format::StackId(1)}));
}

class LoadFileTest : public ::testing::Test {
 protected:
  std::string FileWith(std::span<const uint8_t> bytes) {
    const std::string path = ::testing::TempDir() + "profile_loader_test.pyro";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  std::string ErrorOf(const std::string& path) {
    const base::Result<Profile> profile = LoadProfileFile(path);
    return profile.ok() ? "no error" : profile.error().message;
  }
};

TEST_F(LoadFileTest, WholeFile) {
  const auto profile = LoadProfileFile(FileWith(format::testing::SmallCapture()));
  ASSERT_TRUE(profile.ok());
  EXPECT_THAT(profile->samples.time_ns, SizeIs(6));
}

TEST_F(LoadFileTest, ErrorsAreOneLine) {
  const Bytes capture = format::testing::SmallCapture();
  const Bytes text = {'#', '!', '/', 'b', 'i', 'n', '/', 's', 'h', '\n'};
  EXPECT_EQ(ErrorOf("/nowhere/x.pyro"), "/nowhere/x.pyro: no such file");
  EXPECT_EQ(ErrorOf("/"), "/: is a directory, not a capture");
  EXPECT_EQ(ErrorOf("/dev/null"), "/dev/null: is not a regular file");
  EXPECT_THAT(ErrorOf(FileWith({})), HasSubstr(".pyro: the file is empty"));
  EXPECT_THAT(ErrorOf(FileWith(text)), HasSubstr(".pyro: not a pyrometer capture"));
  EXPECT_THAT(ErrorOf(FileWith(std::span(capture).first(20))),
              HasSubstr("holds no records (4 bytes lost)"));
}

}  // namespace
}  // namespace pyrometer::profile
