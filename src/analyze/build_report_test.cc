// SPDX-License-Identifier: Apache-2.0
#include "analyze/build_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using enum format::Activity;
using format::CounterKind;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kLib[] = "/usr/lib/python3.12/lib.py";

// A profile in the making, and questions to the report about it. Times are in
// milliseconds.
class BuildReportTest : public ::testing::Test {
 protected:
  const View& Merged() {
    report_ = BuildReport(profile_.Build(), options_);
    return report_.merged;
  }
  const FileStats& File(const std::string& path) {
    for (const FileStats& file : Merged().files)
      if (file.path == path) return file;
    ADD_FAILURE() << "no file " << path;
    static const FileStats none;
    return none;
  }
  const LineStats& Line(uint32_t number, const std::string& path = "app.py") {
    for (const LineStats& line : File(path).lines)
      if (line.line == number) return line;
    ADD_FAILURE() << "no line " << number;
    static const LineStats none;
    return none;
  }
  const FunctionStats& Function(const std::string& name, const std::string& path = "app.py") {
    for (const FunctionStats& function : File(path).functions)
      if (function.name == name) return function;
    ADD_FAILURE() << "no function " << name;
    static const FunctionStats none;
    return none;
  }
  const NativeFunctionStats& Native(const std::string& name) {
    for (const NativeFunctionStats& native : Merged().native_functions)
      if (native.name == name) return native;
    ADD_FAILURE() << "no native function " << name;
    static const NativeFunctionStats none;
    return none;
  }
  static uint64_t Ms(const Amount& amount) { return amount.ns / 1'000'000; }

  testing::ProfileBuilder profile_;
  ReportOptions options_;
  Report report_;
};

TEST_F(BuildReportTest, InnermostLineHasSelfAndCallersHaveTotal) {
  profile_.Add("main:10 > f:3", kPython, 0.5).Add("main:10 > g:7", kPython, 0.25);
  EXPECT_EQ(Ms(Line(3).self.cpu()), 500u);
  EXPECT_EQ(Ms(Line(10).self.cpu()), 0u);
  EXPECT_EQ(Ms(Line(10).total.cpu()), 750u);
  EXPECT_EQ(Line(10).total.cpu().samples, 2u);
  EXPECT_EQ(Line(3).function, "f");
}

TEST_F(BuildReportTest, WithoutTotalsOnlyThoseAreMissing) {
  options_.totals = false;
  profile_.Add("main:10 > f:3 > " + std::string(kLib) + "|g:5 > memcpy [libc.so.6]", kNative,
               0.007);
  EXPECT_EQ(Ms(Merged().total.cpu()), 7u);
  EXPECT_EQ(Ms(Line(3).scoped.cpu()), 7u);
  EXPECT_EQ(Ms(Line(5, kLib).self.cpu()), 7u);
  EXPECT_EQ(Ms(Line(3).total.cpu()), 0u);
  EXPECT_THAT(File("app.py").lines, SizeIs(1));
  EXPECT_EQ(Ms(Merged().native_functions.at(0).self.cpu()), 7u);
}

TEST_F(BuildReportTest, FewSamplesInManyStacksAddUp) {
  std::string deep = "f:1";
  for (int line = 2; line < 100; ++line) deep += " > f:" + std::to_string(line);
  profile_.Add(deep + " > f:100", kPython, 0.001);
  profile_.Add(deep, kPython, 0.002);
  profile_.Add(deep + " > f:100", kPython, 0.004);
  EXPECT_EQ(Ms(Line(100).self.cpu()), 5u);
  EXPECT_EQ(Ms(Line(99).self.cpu()), 2u);
  EXPECT_EQ(Ms(Line(1).total.cpu()), 7u);
}

TEST_F(BuildReportTest, RecursionCountsOnce) {
  profile_.Add("main:10 > f:3 > f:3 > f:3", kPython, 0.5);
  EXPECT_EQ(Ms(Line(3).total.cpu()), 500u);
  EXPECT_EQ(Ms(Function("f").total.cpu()), 500u);
  EXPECT_EQ(Ms(File("app.py").total.cpu()), 500u);
  EXPECT_EQ(Function("f").total.cpu().samples, 1u);
}

TEST_F(BuildReportTest, MutualRecursionCountsOnce) {
  profile_.Add("f:3 > g:7 > f:4 > g:7", kPython, 0.5);
  EXPECT_EQ(Ms(Function("f").total.cpu()), 500u);
  EXPECT_EQ(Ms(Line(7).total.cpu()), 500u);
  EXPECT_EQ(Ms(Line(4).total.cpu()), 500u);
}

TEST_F(BuildReportTest, NativeCodeIsPartOfTheLineThatCalledIt) {
  profile_.Add("main:10 > sum_loop [libnp.so] > add [libnp.so]", kNative, 0.5);
  EXPECT_EQ(Ms(Line(10).self[kNative]), 500u);
  EXPECT_EQ(Ms(Native("add").self.cpu()), 500u);
  EXPECT_EQ(Ms(Native("sum_loop").self.cpu()), 0u);
  EXPECT_EQ(Ms(Native("sum_loop").total.cpu()), 500u);
  EXPECT_EQ(Native("add").module, "libnp.so");
}

TEST_F(BuildReportTest, InlinedFunctionHasTheSelfTime) {
  profile_.Add("main:10 > outer/inlined [m.so]", kNative, 0.5);
  EXPECT_EQ(Ms(Native("inlined").self.cpu()), 500u);
  EXPECT_EQ(Ms(Native("outer").self.cpu()), 0u);
  EXPECT_EQ(Ms(Native("outer").total.cpu()), 500u);
}

TEST_F(BuildReportTest, LinesAreThoseOfFunctionsWithProfile) {
  profile_.Add("main:10 > f:3", kPython, 0.5).Add("main:10 > f:4 > <lambda>:5", kPython, 0.25);
  profile_.Mark("f").Mark("<lambda>", true);
  const FileStats& file = File("app.py");
  EXPECT_TRUE(report_.lines_restricted);
  ASSERT_THAT(file.lines, SizeIs(3));
  EXPECT_EQ(file.lines[0].line, 3u);
  EXPECT_EQ(file.lines[2].line, 5u);
  EXPECT_THAT(file.functions, SizeIs(3));
  EXPECT_EQ(Ms(file.total.cpu()), 750u);
  EXPECT_EQ(Ms(file.scoped.cpu()), 750u);
  EXPECT_THAT(report_.profiled_functions, ElementsAre(ProfiledFunction{"app.py", "f", 1}));
}

TEST_F(BuildReportTest, FunctionsWithProfileHaveTheTimeOfWhatTheyCall) {
  profile_.Add("main:10 > f:3 > g:7", kPython, 0.5).Add("main:11 > g:7", kPython, 0.25).Mark("f");
  EXPECT_EQ(Ms(Line(3).scoped.cpu()), 500u);
  EXPECT_EQ(Ms(Line(3).self.cpu()), 0u);
  EXPECT_EQ(Ms(Function("g").scoped.cpu()), 750u);
}

TEST_F(BuildReportTest, FunctionsWithProfileMayBeOfALibrary) {
  profile_.Add("main:10 > " + std::string(kLib) + "|parse:5", kPython, 0.5).Mark("parse");
  EXPECT_EQ(Ms(Line(5, kLib).scoped.cpu()), 500u);
  EXPECT_THAT(File("app.py").lines, SizeIs(0));
  EXPECT_EQ(Ms(File("app.py").scoped.cpu()), 500u);
}

TEST_F(BuildReportTest, AllFunctionsOnRequest) {
  profile_.Add("main:10 > f:3", kPython, 0.5).Mark("f");
  options_.all_functions = true;
  EXPECT_THAT(File("app.py").lines, SizeIs(2));
  EXPECT_FALSE(report_.lines_restricted);
  EXPECT_THAT(report_.profiled_functions, SizeIs(1));
}

TEST_F(BuildReportTest, LibraryCodeIsChargedToTheUsersLine) {
  profile_.Add("main:10 > " + std::string(kLib) + "|parse:5", kPython, 0.5);
  EXPECT_EQ(Ms(Line(10).scoped.cpu()), 500u);
  EXPECT_EQ(Ms(Line(10).self.cpu()), 0u);
  EXPECT_EQ(Ms(Line(5, kLib).self.cpu()), 500u);
  EXPECT_EQ(Ms(Line(5, kLib).scoped.cpu()), 0u);
  EXPECT_FALSE(File(kLib).in_scope);
}

TEST_F(BuildReportTest, CallbackFromALibraryIsTheUsersOwn) {
  profile_.Add("main:10 > " + std::string(kLib) + "|sort:5 > key:3", kPython, 0.5);
  EXPECT_EQ(Ms(Line(3).scoped.cpu()), 500u);
  EXPECT_EQ(Ms(Line(10).scoped.cpu()), 0u);
}

TEST_F(BuildReportTest, GeneratedCodeIsChargedToTheLineThatRunsIt) {
  profile_.Add("main:10 > <string>|__init__:2", kPython, 0.5);
  EXPECT_EQ(Ms(Line(10).scoped.cpu()), 500u);
  EXPECT_FALSE(File("<string>").in_scope);
}

TEST_F(BuildReportTest, TheCodeOfACommandIsTheUsersOwn) {
  profile_.Add("x [python] > <string>|<module>:1 > " + std::string(kLib) + "|run:5", kPython, 0.5);
  EXPECT_EQ(Ms(Line(1, "<string>").scoped.cpu()), 500u);
}

TEST_F(BuildReportTest, GeneratedCodeIsThereOnRequest) {
  options_.scope.only = {"<string>"};
  profile_.Add("main:10 > <string>|__init__:2", kPython, 0.5);
  EXPECT_EQ(Ms(Line(2, "<string>").scoped.cpu()), 500u);
}

TEST_F(BuildReportTest, WithoutAnyFrameInScopeTimeIsOutside) {
  profile_.Add(std::string(kLib) + "|run:5", kPython, 0.5).Add("x [libc.so]", kNative, 0.25);
  profile_.Add("", kKernel, 0.125);
  EXPECT_EQ(Ms(Merged().outside.cpu()), 875u);
  EXPECT_EQ(Ms(Merged().no_python.cpu()), 375u);
}

TEST_F(BuildReportTest, AllPutsLibrariesInScope) {
  options_.scope.all = true;
  profile_.Add("main:10 > " + std::string(kLib) + "|parse:5", kPython, 0.5);
  EXPECT_EQ(Ms(Line(5, kLib).scoped.cpu()), 500u);
  EXPECT_EQ(Ms(Line(10).scoped.cpu()), 0u);
}

TEST_F(BuildReportTest, LineOfALambdaIsNamedByMostTime) {
  profile_.Add("main:10", kPython, 0.1).Add("main:10 > main.<lambda>:10", kPython, 0.2);
  profile_.Add("key:11", kPython, 0.1).Add("other:11", kPython, 0.3);
  EXPECT_EQ(Line(11).function, "other");
  EXPECT_EQ(Ms(Line(10).total.cpu()), 300u);
}

TEST_F(BuildReportTest, UnknownSymbolsOfAModuleAreOneEntry) {
  profile_.Add("main:1 > ? [a.so]", kNative, 0.25);
  profile_.profile().frames.push_back(profile_.profile().frames.back());
  profile_.profile().frames.back().address += 64;
  profile_.profile().stacks.push_back({format::kEmptyStack, format::FrameId(2)});
  profile_.profile().samples.stack.back() = format::StackId(3);
  profile_.Add("main:1 > ? [a.so]", kNative, 0.5);
  EXPECT_THAT(Merged().native_functions, SizeIs(1));
  EXPECT_EQ(Ms(Native("").self.cpu()), 750u);
}

TEST_F(BuildReportTest, OnlyTheMainThreadsWaitsAreHot) {
  profile_.Add("main:10", kIoWait, 1).Thread(101, "worker").Add("work:20", kLockWait, 4);
  EXPECT_EQ(Line(10).scoped.time_ns(), 1'000'000'000u);
  EXPECT_EQ(Line(20).scoped.time_ns(), 0u);
  EXPECT_EQ(Ms(Line(20).scoped.wait()), 4000u);
}

TEST_F(BuildReportTest, PercentBases) {
  profile_.Add("main:10", kPython, 1).Add("main:11", kNative, 3).Add("main:12", kSleep, 5);
  const View& view = Merged();
  EXPECT_DOUBLE_EQ(view.Percent(kPython, view.total[kPython].ns), 25);
  EXPECT_DOUBLE_EQ(view.Percent(kSleep, view.total[kSleep].ns), 50);
}

TEST_F(BuildReportTest, ThreadsHaveTheirOwnTimeAndClock) {
  profile_.Add("main:10", kPython, 1).Thread(101, "worker").Add("work:20", kNative, 2, 3);
  profile_.profile().threads[1].end =
      format::ThreadEnd{format::ThreadId(1), 9'000'000'000, 2'100'000'000, "renamed"};
  const std::vector<ThreadStats>& threads = Merged().threads;
  ASSERT_THAT(threads, SizeIs(2));
  EXPECT_TRUE(threads[0].main);
  EXPECT_EQ(threads[1].name, "renamed");
  EXPECT_EQ(threads[1].clock_cpu_ns, 2'100'000'000u);
  EXPECT_EQ(Ms(threads[1].time.cpu()), 2000u);
  EXPECT_EQ(threads[1].time.samples(), 3u);
}

TEST_F(BuildReportTest, MergedIsTheSumOfProcesses) {
  profile_.Add("main:10", kPython, 1).Add("main:11", kChildWait, 3);
  profile_.Process(200, 2, 14).Add("main:10", kPython, 2).Add("main:12", kSleep, 5);
  const View& merged = Merged();
  ASSERT_THAT(report_.processes, SizeIs(2));
  EXPECT_EQ(merged.elapsed_ns, 14'000'000'000u);
  EXPECT_EQ(report_.processes[1].view.elapsed_ns, 12'000'000'000u);
  EXPECT_EQ(Ms(merged.total.cpu()), 3000u);
  EXPECT_EQ(merged.total.main_wait_ns(), 3'000'000'000u);
  EXPECT_EQ(report_.processes[1].view.total.main_wait_ns(), 5'000'000'000u);
  EXPECT_EQ(Ms(Line(10).self.cpu()), 3000u);
}

TEST_F(BuildReportTest, LaterCountersReplaceEarlierOnes) {
  profile_.Counter(CounterKind::kLoss, "ring full", 3).Counter(CounterKind::kCost, "handler ns", 7);
  profile_.Counter(CounterKind::kLoss, "ring full", 5);
  Merged();
  ASSERT_THAT(report_.losses, SizeIs(1));
  EXPECT_EQ(report_.losses[0].value, 5u);
  EXPECT_EQ(report_.costs[0].value, 7u);
}

TEST_F(BuildReportTest, SourceIsSplitIntoLines) {
  profile_.Add("main:2", kPython, 1).Source("app.py", "a\r\n\tb\n\nc");
  const size_t source = File("app.py").source.value();
  EXPECT_THAT(report_.sources[source].lines, ElementsAre("a", "\tb", "", "c"));
  EXPECT_EQ(*report_.sources[source].Line(4), "c");
  EXPECT_EQ(report_.sources[source].Line(5), nullptr);
  EXPECT_EQ(report_.sources[source].Line(0), nullptr);
}

TEST_F(BuildReportTest, CutOffCaptureEndsAtItsLastSample) {
  profile_.Add("main:2", kPython, 3);
  profile_.profile().processes[0].end.reset();
  EXPECT_EQ(Merged().elapsed_ns, 3'000'000'000u);
}

TEST_F(BuildReportTest, EmptyProfileGivesAnEmptyReport) {
  report_ = BuildReport(profile::Profile{}, {});
  EXPECT_TRUE(report_.processes.empty());
  EXPECT_TRUE(report_.merged.total.empty());
  EXPECT_EQ(report_.merged.CpuPercent(1), 0);
}

// Random stacks over a few frames, some of a library, some native.
class SumsTest : public BuildReportTest, public ::testing::WithParamInterface<uint64_t> {
 protected:
  void SetUp() override {
    std::mt19937_64 random(GetParam());
    for (int i = 0; i < 300; ++i) {
      if (random() % 40 == 0) profile_.Thread(1000 + random() % 99, "t");
      if (random() % 100 == 0) profile_.Process(2000 + random() % 99, 0, 5);
      profile_.Add(RandomStack(random), format::Activity(random() % format::kActivityCount),
                   1e-9 * static_cast<double>(random() % 1'000'000'007),
                   static_cast<uint32_t>(1 + random() % 3));
    }
  }
  static std::string RandomStack(std::mt19937_64& random) {
    static const std::string kFrames[] = {
        "f:1", "f:2", "g:2", "b.py|h:2", "g:0", "c [x.so]", "? [x.so]", std::string(kLib) + "|l:9"};
    std::string stack;
    for (size_t depth = random() % 7; depth > 0; --depth)
      stack += (stack.empty() ? "" : " > ") + kFrames[random() % std::size(kFrames)];
    return stack;
  }
  static bool SameTime(const Breakdown& a, const Breakdown& b) {
    for (size_t i = 0; i < format::kActivityCount; ++i) {
      const Amount &x = a[format::Activity(i)], &y = b[format::Activity(i)];
      if (x.ns != y.ns || x.samples != y.samples) return false;
    }
    return a.cpu().ns == b.cpu().ns && a.wait().ns == b.wait().ns;
  }
  // `rest` and the chosen breakdown of all `rows`.
  template <class Row>
  static Breakdown Sum(const Breakdown& rest, const std::vector<Row>& rows, Breakdown Row::* part) {
    Breakdown sum = rest;
    for (const Row& row : rows) sum.Add(row.*part);
    return sum;
  }
  static void CheckSums(const View& view) {
    EXPECT_TRUE(SameTime(view.total, Sum(view.no_python, view.files, &FileStats::self)));
    EXPECT_TRUE(SameTime(view.total, Sum(view.outside, view.files, &FileStats::scoped)));
    EXPECT_TRUE(SameTime(view.total, Sum({}, view.threads, &ThreadStats::time)));
    ASSERT_FALSE(view.files.empty());
    for (const FileStats& file : view.files) {
      EXPECT_TRUE(SameTime(file.self, Sum({}, file.lines, &LineStats::self)));
      EXPECT_TRUE(SameTime(file.scoped, Sum({}, file.lines, &LineStats::scoped)));
      EXPECT_TRUE(SameTime(file.self, Sum({}, file.functions, &FunctionStats::self)));
    }
  }
};

TEST_P(SumsTest, HoldToTheNanosecond) {
  CheckSums(Merged());
  for (const ProcessReport& process : report_.processes) CheckSums(process.view);
}

TEST_P(SumsTest, TotalsAreBetweenSelfAndAll) {
  const View& view = Merged();
  ASSERT_FALSE(view.files.empty());
  for (const FileStats& file : view.files) {
    for (const LineStats& line : file.lines) {
      EXPECT_LE(line.self.cpu().ns, line.total.cpu().ns);
      EXPECT_LE(line.scoped.cpu().ns, line.total.cpu().ns);
      EXPECT_LE(line.total.cpu().ns, view.total.cpu().ns);
    }
  }
}

TEST_P(SumsTest, IntervalsHoldTheirEstimates) {
  const View& view = Merged();
  ASSERT_FALSE(view.files.empty());
  for (const FileStats& file : view.files) {
    for (const LineStats& line : file.lines) {
      for (size_t i = 0; i < format::kActivityCount; ++i) {
        const auto activity = format::Activity(i);
        const Amount amount = line.total[activity];
        const Interval interval =
            amount.SecondsOf(format::IsOnCpu(activity) ? view.total.cpu() : view.total.wait());
        EXPECT_LE(interval.low, amount.seconds() + 1e-9);
        EXPECT_GE(interval.high, amount.seconds() - 1e-9);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SumsTest, ::testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace pyrometer::analyze
