// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using enum format::Activity;
using Kind = Verdict::Kind;
using ::testing::SizeIs;

class VerdictTest : public ::testing::Test {
 protected:
  std::vector<Verdict> Verdicts() { return BuildReport(profile_.Build(), {}).verdicts; }
  Verdict First() { return Verdicts().front(); }

  testing::ProfileBuilder profile_;
};

TEST_F(VerdictTest, CpuBoundNamesTheHottestLineOfThatKind) {
  profile_.Add("main:10 > f:3", kPython, 5).Add("main:10 > g:7", kPython, 1);
  profile_.Add("main:11", kNative, 2);
  const Verdict v = First();
  EXPECT_EQ(v.kind, Kind::kCpu);
  EXPECT_EQ(v.metric, metric::Of(kPython));
  EXPECT_EQ(v.ns, 6'000'000'000u);
  EXPECT_EQ(v.of_ns, 8'000'000'000u);
  EXPECT_EQ(v.function, "f");
  EXPECT_EQ(v.line, 3u);
  EXPECT_EQ(v.place_ns, 5'000'000'000u);
}

TEST_F(VerdictTest, TheHottestLineIsThatOfTheTables) {
  // f has most of the Python time, g most of all CPU time.
  profile_.Add("main:10 > f:3", kPython, 5).Add("main:10 > g:7", kPython, 4);
  profile_.Add("main:10 > g:7 > dot [libblas.so]", kNative, 3);
  EXPECT_EQ(First().metric, metric::Of(kPython));
  EXPECT_EQ(First().line, 7u);
  EXPECT_EQ(First().place_ns, 7'000'000'000u);
}

TEST_F(VerdictTest, GarbageCollectionIsApartOfPythonAndNative) {
  const std::string gc = " > gc_collect_main [/usr/bin/python3.12]";
  profile_.Add("main:10 > build:3" + gc, kPython, 5).Add("main:11", kPython, 3);
  profile_.Add("gc_collect_main [/usr/bin/python3.12]", kNative, 2);  // at exit
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].kind, Kind::kGarbageCollection);
  EXPECT_EQ(verdicts[0].ns, 7'000'000'000u);
  EXPECT_EQ(verdicts[0].of_ns, 10'000'000'000u);
  EXPECT_EQ(verdicts[0].line, 3u);
  EXPECT_EQ(verdicts[0].place_ns, 5'000'000'000u);
  EXPECT_EQ(verdicts[0].outside_ns, 2'000'000'000u);
  EXPECT_EQ(verdicts[1].kind, Kind::kCpu);
  EXPECT_EQ(verdicts[1].ns, 3'000'000'000u);
  EXPECT_EQ(verdicts[1].metric, metric::Of(kPython));
}

TEST_F(VerdictTest, LittleGarbageCollectionIsNotSaid) {
  profile_.Add("main:10 > gc_collect_main [/usr/bin/python3.12]", kPython, 2);
  profile_.Add("main:11", kPython, 8);
  EXPECT_THAT(Verdicts(), SizeIs(1));
}

TEST_F(VerdictTest, AMainThreadThatWaitsForItsWorkersIsNotWhatTheRunIsBoundBy) {
  profile_.Add("main:10", kIoWait, 9).Process(200, 0, 10).Add("work:5", kPython, 8);
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].kind, Kind::kCpu);
  EXPECT_EQ(verdicts[1].kind, Kind::kWait);
  EXPECT_EQ(verdicts[1].workers_ns, 8'000'000'000u);
  EXPECT_EQ(verdicts[1].line, 10u);
}

TEST_F(VerdictTest, WorkersThatDoLittleAreNotWhatItWaitsFor) {
  profile_.Add("main:10", kIoWait, 9).Thread(101, "w").Add("work:5", kPython, 4);
  EXPECT_EQ(First().kind, Kind::kWait);
  EXPECT_EQ(First().workers_ns, 0u);
}

TEST_F(VerdictTest, ABusyMachineDoesNotHideWhatTheCpuTimeWentTo) {
  profile_.Add("main:10 > f:3", kPython, 1).Add("main:10 > f:3", kRunWait, 8);
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].metric, metric::Of(kRunWait));
  EXPECT_EQ(verdicts[1].kind, Kind::kCpu);
}

TEST_F(VerdictTest, NobodyWorksForAThreadThatSleeps) {
  profile_.Add("main:10", kSleep, 9).Thread(101, "w").Add("work:5", kPython, 8);
  EXPECT_EQ(First().workers_ns, 0u);
}

TEST_F(VerdictTest, NativeTimeIsPlacedOnTheUsersLine) {
  profile_.Add("main:11 > dot [libblas.so]", kNative, 2);
  EXPECT_EQ(First().metric, metric::Of(kNative));
  EXPECT_EQ(First().line, 11u);
}

TEST_F(VerdictTest, WaitingBeatsCpuWhenItIsMore) {
  profile_.Add("main:10", kPython, 3).Add("main:12", kIoWait, 6);
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].kind, Kind::kWait);
  EXPECT_EQ(verdicts[0].metric, metric::Of(kIoWait));
  EXPECT_EQ(verdicts[0].of_ns, 10'000'000'000u);
  EXPECT_EQ(verdicts[1].kind, Kind::kCpu);
}

TEST_F(VerdictTest, IdleWorkersDoNotMakeARunWaitBound) {
  profile_.Add("main:10", kPython, 9).Thread(101, "idle").Add("work:5", kLockWait, 100);
  EXPECT_THAT(Verdicts(), SizeIs(1));
  EXPECT_EQ(First().kind, Kind::kCpu);
}

TEST_F(VerdictTest, PlaceOfAWaitIsTheMainThreads) {
  profile_.Add("main:10", kIoWait, 3).Thread(101, "w").Add("work:5", kIoWait, 9);
  EXPECT_EQ(First().line, 10u);
  EXPECT_EQ(First().place_ns, 3'000'000'000u);
}

TEST_F(VerdictTest, WaitingWorkersAreAllThatIsLeft) {
  profile_.Thread(101, "w").Add("work:5", kIoWait, 9);
  EXPECT_EQ(First().kind, Kind::kWait);
  EXPECT_EQ(First().line, 5u);
}

TEST_F(VerdictTest, GilContentionIsSaid) {
  profile_.Add("main:10", kPython, 5).Thread(101, "w").Add("work:5", kGilWait, 4);
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[1].kind, Kind::kGilContention);
  EXPECT_EQ(verdicts[1].line, 5u);
}

TEST_F(VerdictTest, WithoutTimeThePeakOfMemoryIsTheAnswer) {
  profile_.Memory("main:10", format::MemoryKind::kNative, 1, testing::Exactly(5'000'000))
      .Memory("main:11", format::MemoryKind::kPython, 1, testing::Exactly(2'000'000))
      .Level(1, {.rss_bytes = 9'000'000});
  ASSERT_THAT(Verdicts(), SizeIs(1));
  const Verdict v = First();
  EXPECT_EQ(v.kind, Kind::kMemoryPeak);
  EXPECT_EQ(v.bytes, 7'000'000u);
  EXPECT_EQ(v.of_bytes, 9'000'000u);
  EXPECT_EQ(v.line, 10u);
  EXPECT_EQ(v.place_bytes, 5'000'000u);
}

TEST_F(VerdictTest, MemoryThatGrowsIsSaid) {
  profile_.Add("main:10", kPython, 5);
  for (int i = 1; i <= 100; ++i)
    profile_.Memory("keep:7", format::MemoryKind::kNative, 0.1 * i, testing::Exactly(1'000'000));
  const std::vector<Verdict> verdicts = Verdicts();
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[1].kind, Kind::kMemoryGrowth);
  EXPECT_EQ(verdicts[1].line, 7u);
  EXPECT_NEAR(static_cast<double>(verdicts[1].bytes), 10e6, 1e6);
  EXPECT_GT(verdicts[1].probability, 0.99);
}

TEST_F(VerdictTest, ManyCopiesAreSaidFewAreNot) {
  profile_.Add("main:10", kPython, 5);
  profile_.Memory("join:8", format::MemoryKind::kCopied, 1, testing::Exactly(9'000'000'000));
  EXPECT_THAT(Verdicts(), SizeIs(1));
  profile_.Memory("join:8", format::MemoryKind::kCopied, 2, testing::Exactly(2'000'000'000));
  ASSERT_THAT(Verdicts(), SizeIs(2));
  EXPECT_EQ(Verdicts()[1].kind, Kind::kCopies);
  EXPECT_EQ(Verdicts()[1].bytes, 11'000'000'000u);
  EXPECT_EQ(Verdicts()[1].line, 8u);
}

TEST_F(VerdictTest, NoSamples) {
  profile_.Elapsed(0.008);
  EXPECT_EQ(First().kind, Kind::kNoSamples);
  EXPECT_EQ(First().of_ns, 8'000'000u);
}

}  // namespace
}  // namespace pyrometer::analyze
