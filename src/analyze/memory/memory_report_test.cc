// SPDX-License-Identifier: Apache-2.0
// The memory of a report: who is charged, peaks, sums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analyze/build_report.h"
#include "analyze/report/memory_account.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using enum format::MemoryKind;
using testing::Exactly;
using ::testing::SizeIs;

constexpr char kLib[] = "/usr/lib/python3.12/lib.py";
constexpr uint64_t kMb = 1'000'000;

class MemoryReportTest : public ::testing::Test {
 protected:
  const View& Merged() {
    report_ = BuildReport(profile_.Build(), options_);
    return report_.merged;
  }
  MemoryRow Line(uint32_t number, const std::string& path = "app.py") {
    for (const FileStats& file : Merged().files)
      for (const LineStats& line : file.lines)
        if (file.path == path && line.line == number) return line.memory;
    ADD_FAILURE() << "no line " << number;
    return {};
  }

  testing::ProfileBuilder profile_;
  ReportOptions options_;
  Report report_;
};

TEST_F(MemoryReportTest, LibraryMemoryIsChargedToTheUsersLine) {
  profile_.Memory("main:10 > " + std::string(kLib) + "|make:5", kNative, 1, Exactly(8 * kMb));
  EXPECT_EQ(Line(10).scoped().allocated.bytes(), 8 * kMb);
  EXPECT_EQ(Line(10).self().allocated.bytes(), 0u);
  EXPECT_EQ(Line(10).total().allocated.bytes(), 8 * kMb);
  EXPECT_EQ(Line(5, kLib).self().allocated.bytes(), 8 * kMb);
  EXPECT_TRUE(Line(5, kLib).scoped().empty());
}

TEST_F(MemoryReportTest, RecursionCountsOnce) {
  profile_.Memory("f:3 > f:3 > f:3", kPython, 1, Exactly(kMb));
  EXPECT_EQ(Line(3).total().allocated.bytes(), kMb);
  EXPECT_EQ(Line(3).total().own_peak_bytes, kMb);
}

// So many that the memory is charged beside the time, and leaks are looked for beside both.
TEST_F(MemoryReportTest, ALargeRecordingHasAllOfItsTimeAndMemory) {
  constexpr uint32_t kChanges = 20'000;
  for (uint32_t i = 0; i < kChanges; ++i) {
    const std::string line = "main:1 > f:" + std::to_string(2 + i % 50);
    profile_.Memory(line, kPython, 10.0 * i / kChanges, Exactly(kMb), Exactly(i % 2 * kMb));
    if (i % 100 == 0) profile_.Add(line, format::Activity::kPython, 0.05);
  }
  const View view = Merged();
  EXPECT_EQ(view.memory.total.allocated.bytes(), kChanges * kMb);
  EXPECT_EQ(view.threads[0].memory.allocated.bytes(), kChanges * kMb);
  EXPECT_EQ(view.total.cpu().ns, 10'000'000'000u);
  EXPECT_EQ(Line(1).total().allocated.bytes(), kChanges * kMb);
  EXPECT_EQ(Line(2).scoped().allocated.bytes(), kChanges / 50 * kMb);
  EXPECT_FALSE(report_.leaks.empty());
}

TEST_F(MemoryReportTest, KindsAreKeptApart) {
  profile_.Memory("f:3", kPython, 1, Exactly(1 * kMb))
      .Memory("f:3", kNative, 1, Exactly(2 * kMb))
      .Memory("f:3", kMapped, 1, Exactly(4 * kMb))
      .Memory("f:3", kCopied, 1, Exactly(8 * kMb));
  const MemoryStats line = Line(3).scoped();
  EXPECT_EQ(line.allocated.python().bytes, kMb);
  EXPECT_EQ(line.allocated.native().bytes, 6 * kMb);
  EXPECT_EQ(line.allocated[kMapped].bytes, 4 * kMb);
  EXPECT_EQ(line.copied.bytes, 8 * kMb);
  EXPECT_EQ(line.own_peak_bytes, 7 * kMb);
}

TEST_F(MemoryReportTest, AllocatedIsMoreThanWhatIsLive) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb)).Memory("f:3", kPython, 2, Exactly(5 * kMb));
  profile_.Memory("f:3", kPython, 3, {}, Exactly(7 * kMb));
  const MemoryStats line = Line(3).scoped();
  EXPECT_EQ(line.allocated.bytes(), 10 * kMb);
  EXPECT_EQ(line.at_end.bytes(), 3 * kMb);
  EXPECT_EQ(line.own_peak_bytes, 10 * kMb);
  // 5 MB for one second, 10 for one, 3 for seven.
  EXPECT_EQ(line.average_bytes, 3'600'000u);
}

TEST_F(MemoryReportTest, ThePeakIsWhatTheProcessSawNotOurSums) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb), Exactly(5 * kMb), 5 * kMb)
      .Memory("g:4", kPython, 1, Exactly(2 * kMb))
      .Peak(0.5, "f:3", kPython, Exactly(5 * kMb))
      .Peak(0.5, "g:4", kPython, Exactly(kMb));
  EXPECT_EQ(Merged().memory.peak_ns, 500'000'000u);
  EXPECT_EQ(Merged().memory.total.at_peak.bytes(), 6 * kMb);
  EXPECT_EQ(Line(3).scoped().at_peak.bytes(), 5 * kMb);
  EXPECT_EQ(Line(4).scoped().at_peak.bytes(), kMb);
  EXPECT_EQ(Line(4).scoped().own_peak_bytes, 2 * kMb);
}

TEST_F(MemoryReportTest, OwnPeakIsSeenInsideAWindowToo) {
  profile_.Memory("f:3", kPython, 1, Exactly(9 * kMb), Exactly(9 * kMb), 4 * kMb);
  EXPECT_EQ(Line(3).scoped().own_peak_bytes, 4 * kMb);
  EXPECT_EQ(Line(3).scoped().at_end.bytes(), 0u);
}

TEST_F(MemoryReportTest, WithoutARecordedPeakTheSumsTellIt) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb))
      .Memory("g:4", kNative, 2, Exactly(2 * kMb))
      .Memory("f:3", kPython, 3, {}, Exactly(5 * kMb));
  EXPECT_EQ(Merged().memory.peak_ns, 2'000'000'000u);
  EXPECT_EQ(Merged().memory.total.at_peak.bytes(), 7 * kMb);
}

TEST_F(MemoryReportTest, ThreadsHaveWhatTheyAllocatedWhoeverGaveItBack) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb));
  profile_.Thread(101, "worker").Memory("g:4", kPython, 2, Exactly(2 * kMb));
  EXPECT_EQ(Merged().threads[0].memory.allocated.bytes(), 5 * kMb);
  EXPECT_EQ(Merged().threads[1].memory.allocated.bytes(), 2 * kMb);
}

TEST_F(MemoryReportTest, SurvivorsAreWhatIsLiveAtTheEnd) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb))
      .Memory("f:3", kPython, 10, {}, Exactly(5 * kMb))
      .Survivor(9, "f:3", kPython, "dict", Exactly(5 * kMb));
  EXPECT_EQ(Line(3).scoped().at_end.bytes(), 5 * kMb);
}

TEST_F(MemoryReportTest, TimelineHasTheMostOfEachPart) {
  profile_.Memory("f:3", kPython, 2.6, Exactly(5 * kMb));
  profile_.Memory("f:3", kPython, 5.1, {}, Exactly(4 * kMb));
  const std::vector<uint64_t> timeline = Line(3).scoped().timeline;
  ASSERT_THAT(timeline, SizeIs(kTimelinePoints));
  EXPECT_EQ(timeline[9], 0u);
  EXPECT_EQ(timeline[10], 5 * kMb);
  EXPECT_EQ(timeline[20], 5 * kMb);
  EXPECT_EQ(timeline[21], kMb);
  EXPECT_EQ(timeline[39], kMb);
}

// One has 5 MB until it ends, the other 4 MB after that: never 9 at once.
TEST_F(MemoryReportTest, PeaksOfProcessesThatDoNotMeetAreNotAddedUp) {
  profile_.Elapsed(4).Memory("f:3", kPython, 1, Exactly(5 * kMb));
  profile_.Process(200, 5, 9).Memory("g:4", kPython, 6, Exactly(4 * kMb));
  const View& merged = Merged();
  EXPECT_EQ(merged.memory.total.allocated.bytes(), 9 * kMb);
  EXPECT_EQ(merged.memory.total.at_peak.bytes(), 5 * kMb);
  EXPECT_EQ(merged.memory.total.own_peak_bytes, 5 * kMb);
  EXPECT_EQ(merged.memory.total.at_end.bytes(), 9 * kMb);
  EXPECT_EQ(report_.processes[1].view.memory.total.at_peak.bytes(), 4 * kMb);
}

TEST_F(MemoryReportTest, AProcessesPeakMeetsWhatTheOthersHadThen) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb));
  profile_.Process(200, 0, 10).Memory("g:4", kPython, 6, Exactly(kMb));
  profile_.Peak(5.5, "g:4", kPython, Exactly(3 * kMb));
  EXPECT_EQ(Merged().memory.total.at_peak.bytes(), 8 * kMb);
  EXPECT_EQ(Merged().memory.peak_ns, 5'500'000'000u);
}

TEST_F(MemoryReportTest, LinesAreRankedByWhatTheyHadAtThePeak) {
  profile_.Memory("f:3", kPython, 1, Exactly(5 * kMb)).Memory("f:4", kPython, 1, Exactly(7 * kMb));
  profile_.Memory("f:5", kCopied, 1, Exactly(kMb)).Memory("f:6", kCopied, 1, Exactly(2 * kMb));
  const View& view = Merged();
  ASSERT_THAT(view.memory.lines, SizeIs(2));
  EXPECT_EQ(view.Line(view.memory.lines[0]).line, 4u);
  ASSERT_THAT(view.memory.copies, SizeIs(2));
  EXPECT_EQ(view.Line(view.memory.copies[0]).line, 6u);
}

TEST_F(MemoryReportTest, CopiesOfWhatWasAllocatedStandOut) {
  profile_.Memory("f:3", kNative, 1, Exactly(80 * kMb))
      .Memory("f:3", kCopied, 1, Exactly(80 * kMb));
  profile_.Memory("f:4", kNative, 1, Exactly(80 * kMb)).Memory("f:4", kCopied, 1, Exactly(8 * kMb));
  profile_.Memory("f:5", kCopied, 1, Exactly(8 * kMb));
  EXPECT_TRUE(Line(3).scoped().CopiesWhatItAllocates());
  EXPECT_FALSE(Line(4).scoped().CopiesWhatItAllocates());
  EXPECT_FALSE(Line(5).scoped().CopiesWhatItAllocates());
}

TEST_F(MemoryReportTest, WithoutMemoryThereIsNone) {
  profile_.Add("f:3", format::Activity::kPython, 1);
  EXPECT_FALSE(Merged().memory.recorded);
  EXPECT_TRUE(Line(3).empty());
}

TEST_F(MemoryReportTest, MoreGivenBackThanAllocatedIsNothingLive) {
  profile_.Memory("f:3", kPython, 1, Exactly(kMb)).Memory("f:3", kPython, 2, {}, Exactly(9 * kMb));
  profile_.Memory("f:3", kPython, 3, Exactly(2 * kMb));
  EXPECT_EQ(Line(3).scoped().at_end.bytes(), 2 * kMb);
  EXPECT_EQ(Line(3).scoped().own_peak_bytes, 2 * kMb);
}

TEST_F(MemoryReportTest, ACutOffCaptureEndsAtItsLastChange) {
  profile_.Memory("f:3", kPython, 3, Exactly(kMb));
  profile_.profile().processes[0].end.reset();
  EXPECT_EQ(Merged().elapsed_ns, 3'000'000'000u);
}

TEST_F(MemoryReportTest, FunctionsWithProfileAreChargedForWhatTheyCall) {
  profile_.Memory("main:10 > f:3 > g:7", kPython, 1, Exactly(kMb)).Mark("f");
  EXPECT_EQ(Line(3).scoped().allocated.bytes(), kMb);
}

// Random stacks over a few frames, threads and processes.
class MemorySumsTest : public MemoryReportTest, public ::testing::WithParamInterface<uint64_t> {
 protected:
  void SetUp() override {
    static const std::string kFrames[] = {
        "f:1", "f:2", "g:2", "b.py|h:2", "g:0", "c [x.so]", "? [x.so]", std::string(kLib) + "|l:9"};
    std::mt19937_64 random(GetParam());
    for (int i = 1; i < 400; ++i) {
      if (random() % 40 == 0) profile_.Thread(1000 + random() % 99, "t");
      if (random() % 100 == 0) profile_.Process(2000 + random() % 99, 0, 12);
      std::string stack;
      for (size_t depth = random() % 7; depth > 0; --depth)
        stack += (stack.empty() ? "" : " > ") + kFrames[random() % std::size(kFrames)];
      const uint64_t bytes = random() % 100'000'007;
      profile_.Memory(stack, format::MemoryKind(random() % 4), 0.025 * i, Exactly(bytes),
                      Exactly(random() % (bytes + 1)));
      if (random() % 20 == 0)
        profile_.Peak(0.025 * i, stack, format::MemoryKind(random() % 3), Exactly(bytes));
    }
  }
  // The figures of which the sums hold.
  static std::vector<uint64_t> Figures(const MemoryStats& stats) {
    std::vector<uint64_t> figures = {stats.copied.bytes, stats.copied.samples};
    for (const MemoryByKind* part : {&stats.allocated, &stats.at_peak, &stats.at_end})
      for (const MemorySum& sum : part->kinds)
        figures.insert(figures.end(), {sum.bytes, sum.blocks, sum.samples});
    return figures;
  }
  static void Add(std::vector<uint64_t>& sum, const MemoryStats& stats) {
    const std::vector<uint64_t> figures = Figures(stats);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += figures[i];
  }
  static void CheckSums(const View& view) {
    const std::vector<uint64_t> total = Figures(view.memory.total);
    std::vector<uint64_t> by_self = Figures(view.memory.without_python),
                          by_scope = Figures(view.memory.outside),
                          by_thread = Figures(MemoryStats());
    ASSERT_FALSE(view.files.empty());
    for (const FileStats& file : view.files) {
      Add(by_self, file.memory.self());
      Add(by_scope, file.memory.scoped());
      std::vector<uint64_t> lines = Figures(MemoryStats()), functions = lines;
      for (const LineStats& line : file.lines) Add(lines, line.memory.scoped());
      for (const FunctionStats& function : file.functions) Add(functions, function.memory.self());
      EXPECT_EQ(lines, Figures(file.memory.scoped()));
      EXPECT_EQ(functions, Figures(file.memory.self()));
    }
    for (const ThreadStats& thread : view.threads) Add(by_thread, thread.memory);
    EXPECT_EQ(total, by_self);
    EXPECT_EQ(total, by_scope);
    EXPECT_EQ(total, by_thread);
  }
};

TEST_P(MemorySumsTest, HoldToTheByte) {
  CheckSums(Merged());
  for (const ProcessReport& process : report_.processes) CheckSums(process.view);
}

TEST_P(MemorySumsTest, NoRowIsMoreThanTheWhole) {
  const View& view = Merged();
  const MemoryStats& all = view.memory.total;
  EXPECT_EQ(all.own_peak_bytes, all.at_peak.bytes());
  ASSERT_FALSE(view.files.empty());
  for (const FileStats& file : view.files) {
    for (const LineStats& line : file.lines) {
      EXPECT_GE(line.memory.total().own_peak_bytes, line.memory.total().at_peak.bytes());
      EXPECT_LE(line.memory.total().own_peak_bytes, all.own_peak_bytes);
      EXPECT_LE(line.memory.total().average_bytes, all.average_bytes + 1);
      EXPECT_LE(line.memory.scoped().allocated.bytes(), line.memory.total().allocated.bytes());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MemorySumsTest, ::testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace pyrometer::analyze
