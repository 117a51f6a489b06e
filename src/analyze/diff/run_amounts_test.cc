// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/run_amounts.h"

#include <gtest/gtest.h>

#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using format::Activity;
using format::MemoryKind;
using testing::Exactly;
using testing::ProfileBuilder;

double Seconds(const RunSums& sums, Metric metric) { return sums[metric].value / 1e9; }
double Bytes(const RunSums& sums, Metric metric) { return sums[metric].value; }

const RunAmounts::Function& FunctionOf(const RunAmounts& run, const std::string& name) {
  for (const RunAmounts::Function& function : run.functions)
    if (function.name == name) return function;
  ADD_FAILURE() << "no " << name;
  return run.functions.front();
}

std::string PathText(const RunAmounts& run, const RunAmounts::Path& path) {
  std::string text;
  for (const uint32_t function : path.functions)
    text += (text.empty() ? "" : ">") + run.functions[function].name;
  return text;
}

TEST(RunAmountsTest, SamplesCountForTheInnermostFrameInScope) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:3", Activity::kPython, 2, 4)
      .Add("main:1 > f:3 > /usr/lib/python3.11/json/decoder.py|decode:9", Activity::kNative, 1)
      .Add("main:2", Activity::kKernel, 0.5)
      .Add("/usr/lib/python3.11/threading.py|run:9", Activity::kPython, 0.25);
  metric::Table table;
  const RunAmounts run = SumRun(profile.Build(), {}, &table);
  EXPECT_DOUBLE_EQ(Seconds(run.totals, Metric::kCpu), 3.75);
  EXPECT_DOUBLE_EQ(Seconds(run.outside, Metric::kCpu), 0.25);
  const RunSums& f = FunctionOf(run, "f").sums;
  EXPECT_DOUBLE_EQ(Seconds(f, Metric::kCpu), 3);
  EXPECT_DOUBLE_EQ(Seconds(f, Metric::kPython), 2);
  EXPECT_DOUBLE_EQ(Seconds(f, Metric::kNative), 1);
  EXPECT_EQ(f[Metric::kCpu].samples, 5u);
  EXPECT_DOUBLE_EQ(Seconds(FunctionOf(run, "main").sums, Metric::kKernel), 0.5);
  EXPECT_EQ(run.lines.size(), 2u);
  EXPECT_TRUE(run.has_time);
  EXPECT_FALSE(run.has_memory);
}

TEST(RunAmountsTest, PathsAreOfFunctionsInScopeWithoutRecursion) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:3 > f:4 > f:4", Activity::kPython, 1)
      .Add("main:2 > f:3", Activity::kPython, 1)
      .Add("main:1 > /usr/lib/python3.11/json/decoder.py|decode:9 > g:1", Activity::kPython, 1);
  metric::Table table;
  const RunAmounts run = SumRun(profile.Build(), {}, &table);
  ASSERT_EQ(run.paths.size(), 2u);
  EXPECT_EQ(PathText(run, run.paths[0]), "main>f");
  EXPECT_DOUBLE_EQ(Seconds(run.paths[0].sums, Metric::kCpu), 2);
  EXPECT_EQ(PathText(run, run.paths[1]), "main>g");
}

TEST(RunAmountsTest, WaitingForACpuIsNotTheProgram) {
  ProfileBuilder profile;
  profile.Add("main:1", Activity::kIoWait, 2).Add("main:1", Activity::kRunWait, 5);
  profile.Thread(7, "other").Add("main:1", Activity::kLockWait, 1);
  metric::Table table;
  const RunAmounts run = SumRun(profile.Build(), {}, &table);
  EXPECT_DOUBLE_EQ(Seconds(run.totals, Metric::kWait), 3);
  EXPECT_DOUBLE_EQ(Seconds(run.totals, Metric::kTime), 2);
}

TEST(RunAmountsTest, MemoryAtThePeakAndAllocated) {
  ProfileBuilder profile;
  profile.Memory("main:1", MemoryKind::kPython, 1, Exactly(1000))
      .Memory("main:2", MemoryKind::kNative, 2, Exactly(500), Exactly(500))
      .Memory("main:3", MemoryKind::kCopied, 2, Exactly(70))
      .Peak(1, "main:1", MemoryKind::kPython, Exactly(1000));
  metric::Table table;
  const RunAmounts run = SumRun(profile.Build(), {}, &table);
  EXPECT_TRUE(run.has_memory);
  EXPECT_EQ(Bytes(run.totals, Metric::kLiveAtPeak), 1000);
  EXPECT_EQ(Bytes(run.totals, Metric::kAllocated), 1500);
  EXPECT_EQ(Bytes(run.totals, Metric::kCopied), 70);
}

TEST(RunAmountsTest, PathsAreRelativeToWhereTheProgramWasStarted) {
  ProfileBuilder profile;
  profile.profile().run.working_directory = "/srv";
  profile.Add("/srv/pkg/app.py|main:1", Activity::kPython, 1)
      .Add("/other/app.py|other:1", Activity::kPython, 1)
      .Source("/srv/pkg/app.py", "main()\r\nend()");
  metric::Table table;
  const RunAmounts run = SumRun(profile.Build(), {}, &table);
  ASSERT_EQ(run.files.size(), 2u);
  EXPECT_EQ(run.files[0].relative, "pkg/app.py");
  EXPECT_EQ(run.files[0].lines, (std::vector<std::string>{"main()", "end()"}));
  EXPECT_EQ(run.files[1].relative, "/other/app.py");
}

}  // namespace
}  // namespace pyrometer::analyze
