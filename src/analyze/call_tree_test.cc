// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/call_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analyze/build_report.h"
#include "analyze/calls/call_tree_builder.h"
#include "analyze/testing/example_profile.h"
#include "analyze/views/hot_lines.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using enum format::Activity;
using ::testing::ElementsAre;
using testing::Exactly;
using ::testing::IsEmpty;

const std::string kLib = "/usr/lib/python3.12/json/decoder.py|";
const std::string kOther = "/venv/lib/python3.12/site-packages/numpy/core.py|";
constexpr uint64_t kMb = 1'000'000;

// A tree in the making, written as lines: "depth name milliseconds self", names in
// brackets for libraries, with their functions and packages.
class CallTreeTest : public ::testing::Test {
 protected:
  const CallTree& Tree() {
    if (!options_.tree_threshold_percent) options_.tree_threshold_percent = 1;
    report_ = BuildReport(profile_.Build(), options_);
    ExpectSums(*report_.call_tree, WholeOfMetric());
    return *report_.call_tree;
  }
  uint64_t WholeOfMetric() const {
    const Metric metric = report_.call_tree->metric;
    return ValueOf(metric, report_.merged.total, report_.merged.memory.total);
  }
  static void ExpectSums(const CallTree& tree, uint64_t whole) {
    for (const CallNode& node : tree.nodes) {
      CallAmount sum = node.self;
      for (const uint32_t child : node.children) sum.Add(tree.nodes[child].total);
      EXPECT_EQ(sum.value, node.total.value);
      EXPECT_EQ(sum.samples, node.total.samples);
      EXPECT_EQ(sum.parts, node.total.parts);
      EXPECT_EQ(sum.parts[0] + sum.parts[1] + sum.parts[2] + sum.parts[3], sum.value);
    }
    CallAmount roots;
    for (const uint32_t root : tree.roots) roots.Add(tree.nodes[root].total);
    EXPECT_EQ(roots.value, tree.total.value);
    EXPECT_EQ(roots.value, whole);
  }

  std::vector<std::string> Lines() {
    const CallTree& tree = Tree();
    std::vector<std::string> lines;
    for (const uint32_t root : tree.roots) Append(tree, root, 0, lines);
    return lines;
  }
  void Append(const CallTree& tree, uint32_t index, int depth, std::vector<std::string>& lines) {
    const CallNode& node = tree.nodes[index];
    std::string text = std::to_string(depth) + " ";
    if (node.kind == CallNode::Kind::kRest) {
      text += "rest of " + std::to_string(node.functions);
    } else if (node.kind == CallNode::Kind::kLibrary) {
      text += "[" + node.name + " " + std::to_string(node.functions);
      for (const std::string& package : node.packages) text += " " + package;
      text += "]";
    } else {
      text += node.name + (node.recursive ? "*" : "");
    }
    const uint64_t unit = 1'000'000;  // ns to ms, bytes to MB
    lines.push_back(text + " " + std::to_string(node.total.value / unit) + " " +
                    std::to_string(node.self.value / unit));
    for (const uint32_t child : node.children) Append(tree, child, depth + 1, lines);
  }

  testing::ProfileBuilder profile_;
  ReportOptions options_;
  Report report_;
};

TEST_F(CallTreeTest, OutermostFirstMostFirst) {
  profile_.Add("main:1 > f:5", kPython, 0.1)
      .Add("main:2 > g:9", kNative, 0.3)
      .Add("main:3", kPython, 0.05);
  EXPECT_THAT(Lines(),
              ElementsAre("0 MainThread 450 0", "1 main 450 50", "2 g 300 300", "2 f 100 100"));
}

TEST_F(CallTreeTest, LinesOfAFunctionAreOneNode) {
  profile_.Add("main:1 > f:5", kPython, 0.1).Add("main:2 > f:6", kPython, 0.1);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 200 0", "1 main 200 0", "2 f 200 200"));
}

TEST_F(CallTreeTest, LibrariesAreOneNodeUpToWhereTheyCallBack) {
  profile_.Add("main:1 > " + kLib + "load:1 > " + kOther + "array:2 > hook:7", kPython, 0.1)
      .Add("main:1 > " + kLib + "load:1", kPython, 0.2);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 300 0", "1 main 300 0",
                                   "2 [load 2 json numpy] 300 200", "3 hook 100 100"));
}

TEST_F(CallTreeTest, DifferentCallsIntoALibraryAreKeptApart) {
  profile_.Add("main:1 > " + kLib + "load:1", kPython, 0.1)
      .Add("main:2 > " + kLib + "dump:1", kPython, 0.2);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 300 0", "1 main 300 0", "2 [dump 1 json] 200 200",
                                   "2 [load 1 json] 100 100"));
}

TEST_F(CallTreeTest, AllShowsLibrariesAndNativeFunctionsWithTimeOfTheirOwn) {
  profile_.Add("main:1 > call [libpython.so] > " + kLib + "load:1 > scan [_json.so]", kNative, 0.2)
      .Add("main:1 > " + kLib + "load:1", kPython, 0.1);
  EXPECT_THAT(Lines(),
              ElementsAre("0 MainThread 300 0", "1 main 300 0", "2 [load 1 json] 300 300"));
  options_.scope.all = true;
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 300 0", "1 main 300 0", "2 load 300 100",
                                   "3 scan 200 200"));
}

TEST_F(CallTreeTest, RecursionIsFolded) {
  profile_.Add("main:1 > f:2 > f:3 > f:3 > leaf:9", kPython, 0.1).Add("main:1 > f:2", kPython, 0.1);
  EXPECT_THAT(Lines(),
              ElementsAre("0 MainThread 200 0", "1 main 200 0", "2 f* 200 100", "3 leaf 100 100"));
}

TEST_F(CallTreeTest, RecursionOfSeveralIsFoldedRoundByRound) {
  profile_.Add("visit:1 > list:2 > visit:1 > list:2 > visit:1 > leaf:3", kPython, 0.1);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 100 0", "1 visit* 100 0", "2 list 100 0",
                                   "3 visit 100 0", "4 leaf 100 100"));
}

TEST_F(CallTreeTest, AWrapperThatComesAgainIsNoRecursion) {
  profile_.Add("wrapper:1 > f:2 > wrapper:1 > g:3", kPython, 0.1);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 100 0", "1 wrapper 100 0", "2 f 100 0",
                                   "3 wrapper 100 0", "4 g 100 100"));
}

TEST_F(CallTreeTest, WhatIsBelowTheThresholdIsOneNode) {
  profile_.Add("main:1 > f:5", kPython, 10)
      .Add("main:1 > g:9", kPython, 0.01)
      .Add("main:1 > h:9", kPython, 0.02);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 10030 0", "1 main 10030 0", "2 f 10000 10000",
                                   "2 rest of 2 30 30"));
  options_.tree_threshold_percent = 0;
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 10030 0", "1 main 10030 0", "2 f 10000 10000",
                                   "2 h 20 20", "2 g 10 10"));
}

TEST_F(CallTreeTest, EachThreadIsARoot) {
  profile_.Add("main:1", kPython, 0.1).Thread(101, "worker").Add("work:1", kPython, 0.2);
  EXPECT_THAT(Lines(), ElementsAre("0 worker 200 0", "1 work 200 200", "0 MainThread 100 0",
                                   "1 main 100 100"));
}

TEST_F(CallTreeTest, TimeWithoutPythonIsTheThreadsOwn) {
  profile_.Add("", kNative, 0.1).Add("start [ld.so]", kNative, 0.1).Add("main:1", kPython, 0.1);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 300 200", "1 main 100 100"));
}

TEST_F(CallTreeTest, WaitsOfWorkersAreNoTimeOfTheRun) {
  profile_.Add("main:1", kIoWait, 0.1).Thread(101, "w").Add("work:1", kLockWait, 0.2);
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 100 0", "1 main 100 100"));
  options_.metric = Metric::kWait;
  EXPECT_THAT(Lines(),
              ElementsAre("0 w 200 0", "1 work 200 200", "0 MainThread 100 0", "1 main 100 100"));
  options_.metric = Metric::kCpu;
  EXPECT_THAT(Lines(), IsEmpty());
}

TEST_F(CallTreeTest, TasksThatWaitHaveARootOfTheirOwn) {
  options_.metric = Metric::kAwait;
  profile_.Task("work:2", "t").Await("work:2 > read:8", format::AwaitState::kSuspended, 0.2);
  EXPECT_THAT(Lines(), ElementsAre("0 tasks 200 0", "1 work 200 0", "2 read 200 200"));
}

TEST_F(CallTreeTest, Memory) {
  using enum format::MemoryKind;
  profile_.Memory("main:1 > f:5", kNative, 1, Exactly(8 * kMb))
      .Memory("main:1 > g:5", kPython, 1, Exactly(2 * kMb))
      .Memory("main:1 > g:5", kPython, 2, {}, Exactly(2 * kMb))
      .Memory("main:1 > g:5", kPython, 3, Exactly(9 * kMb))
      .Memory("main:1 > c:5", kCopied, 3, Exactly(3 * kMb));
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 17 0", "1 main 17 0", "2 g 9 9", "2 f 8 8"));
  options_.metric = Metric::kAllocated;
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 19 0", "1 main 19 0", "2 g 11 11", "2 f 8 8"));
  options_.metric = Metric::kCopied;
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 3 0", "1 main 3 0", "2 c 3 3"));
}

TEST_F(CallTreeTest, ThePeakIsThatOfTheReport) {
  using enum format::MemoryKind;
  options_.metric = Metric::kLiveAtPeak;
  profile_.Memory("main:1 > f:5", kNative, 1, Exactly(8 * kMb), Exactly(8 * kMb), 8 * kMb)
      .Memory("main:1 > g:5", kNative, 2, Exactly(3 * kMb))
      .Peak(0.5, "main:1 > f:5", kNative, Exactly(8 * kMb));
  EXPECT_THAT(Lines(), ElementsAre("0 MainThread 8 0", "1 main 8 0", "2 f 8 8"));
}

TEST_F(CallTreeTest, SumsHoldForEveryMetric) {
  profile_ = testing::ExampleProfile();
  for (const metric::Info& info : metric::Listed(metric::kRanked)) {
    for (const bool all : {false, true}) {
      options_.metric = info.metric;
      options_.scope.all = all;
      EXPECT_EQ(Tree().metric, info.metric) << info.name;
    }
  }
}

TEST_F(CallTreeTest, SumsHoldForRandomStacks) {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    std::string stack;
    for (uint32_t depth = random() % 12; depth > 0; --depth) {
      const char* const kFrames[] = {"f:1", "g:2", "h:3", "exp [libm.so]"};
      const uint32_t pick = random() % 6;
      stack += (stack.empty() ? "" : " > ") + (pick < 4    ? kFrames[pick]
                                               : pick == 4 ? kLib + "load:1"
                                                           : kOther + "array:2");
    }
    if (i % 100 == 99) profile_.Thread(200 + static_cast<uint64_t>(i), "t");
    profile_.Add(stack, format::Activity(random() % format::kActivityCount),
                 0.001 * static_cast<double>(1 + random() % 50));
  }
  for (const bool all : {false, true}) {
    for (const double threshold : {0.0, 1.0, 30.0}) {
      options_.scope.all = all;
      options_.tree_threshold_percent = threshold;
      EXPECT_FALSE(Tree().roots.empty());
    }
  }
}

TEST_F(CallTreeTest, DepthIsBounded) {
  std::string stack;
  for (int i = 0; i < 5000; ++i) stack += (i == 0 ? "" : " > ") + ("f" + std::to_string(i)) + ":1";
  profile_.Add(stack, kPython, 1);
  EXPECT_EQ(Tree().nodes.size(), CallTreeBuilder::kMaxDepth + 1);
}

}  // namespace
}  // namespace pyrometer::analyze
