// SPDX-License-Identifier: Apache-2.0
#include "export/report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using nlohmann::json;

class WriteJsonTest : public ::testing::Test {
 protected:
  std::string Text() {
    std::ostringstream out;
    WriteJson(analyze::BuildReport(profile_.Build(), {}), out);
    return out.str();
  }
  json Parsed() { return json::parse(Text()); }
  // The sum of seconds of one breakdown object.
  static double Seconds(const json& time) {
    double sum = 0;
    for (const json& activity : time) sum += activity["seconds"].get<double>();
    return sum;
  }

  analyze::testing::ProfileBuilder profile_;
};

TEST_F(WriteJsonTest, SaysWhatItIs) {
  const json report = Parsed();
  EXPECT_EQ(report["schema"], "pyrometer.report");
  EXPECT_EQ(report["version"], 2);
  EXPECT_EQ(report["run"]["command"], json({"python", "app.py"}));
}

TEST_F(WriteJsonTest, LineHasSelfScopedAndTotal) {
  profile_.Add("main:10 > /usr/lib/python3.12/x.py|parse:5", kPython, 0.5);
  profile_.Source("app.py", std::string(9, '\n') + "parse(\"x\")\n");
  const json line = Parsed()["merged"]["files"][0]["lines"][0];
  EXPECT_EQ(line["line"], 10);
  EXPECT_EQ(line["function"], "main");
  EXPECT_EQ(line["source"], "parse(\"x\")");
  EXPECT_EQ(line["self"], json::object());
  EXPECT_EQ(line["scoped"]["python"]["seconds"], 0.5);
  EXPECT_EQ(line["total"]["python"]["samples"], 1);
}

TEST_F(WriteJsonTest, ActivitiesWithoutTimeAreLeftOut) {
  profile_.Add("main:10", kPython, 1).Add("main:11", kRunWait, 2);
  const json totals = Parsed()["merged"]["totals"];
  EXPECT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals["python"]["percent"], 100.0);
  EXPECT_EQ(totals["run_queue"]["percent"], 20.0);
  EXPECT_LE(totals["run_queue"]["low"], 2.0);
  EXPECT_GE(totals["run_queue"]["high"], 2.0);
}

TEST_F(WriteJsonTest, FilesAndOutsideAddUpToTheTotal) {
  profile_.Add("main:10", kPython, 1).Add("b.py|f:1", kNative, 2).Add("x [libc.so]", kKernel, 4);
  const json merged = Parsed()["merged"];
  double sum = Seconds(merged["outside_scope"]);
  for (const json& file : merged["files"]) sum += Seconds(file["scoped"]);
  EXPECT_DOUBLE_EQ(sum, Seconds(merged["totals"]));
  EXPECT_DOUBLE_EQ(sum, 7);
}

TEST_F(WriteJsonTest, LineHasItsMemory) {
  profile_.Memory("main:10", format::MemoryKind::kPython, 1,
                  {.bytes = 1 << 20, .blocks = 9, .samples = 4, .variance_kib2 = 512 * 512});
  profile_.Memory("main:10", format::MemoryKind::kNative, 1, analyze::testing::Exactly(1 << 20));
  profile_.Memory("main:10", format::MemoryKind::kCopied, 1, analyze::testing::Exactly(1 << 20));
  const json merged = Parsed()["merged"];
  const json memory = merged["files"][0]["lines"][0]["memory"]["scoped"];
  EXPECT_EQ(memory["allocated"]["python"]["bytes"], 1 << 20);
  EXPECT_LT(memory["allocated"]["python"]["low"], 1 << 20);
  EXPECT_GT(memory["allocated"]["python"]["high"], 1 << 20);
  EXPECT_EQ(memory["allocated"]["native"]["low"], 1 << 20);
  EXPECT_EQ(memory["allocated"]["native"]["high"], 1 << 20);
  EXPECT_EQ(memory["own_peak_bytes"], 2 << 20);
  EXPECT_EQ(memory["allocated_percent"], 100.0);
  EXPECT_EQ(memory["timeline"].size(), 40u);
  EXPECT_EQ(merged["files"][0]["lines"][0]["memory"]["self"]["copied"]["bytes"], 1 << 20);
  EXPECT_EQ(merged["memory"]["copies"][0]["allocates_as_much"], true);
  EXPECT_EQ(merged["memory"]["lines"][0]["place"]["line"], 10);
  EXPECT_EQ(merged["threads"][0]["memory"]["own_peak_bytes"], 2 << 20);
}

TEST_F(WriteJsonTest, RestOfMemoryMayBeNegative) {
  profile_.Level(1, {.rss_bytes = 10, .mapped_bytes = 50});
  EXPECT_EQ(Parsed()["merged"]["memory"]["end_levels"]["rest_bytes"], -40);
  EXPECT_TRUE(Parsed()["merged"]["memory"]["end_levels"]["pss_bytes"].is_null());
}

TEST_F(WriteJsonTest, ProcessesAndMergedHaveTheSameShape) {
  profile_.Add("main:10", kPython, 1).Process(200, 0, 5).Add("main:10", kPython, 1);
  const json report = Parsed();
  ASSERT_EQ(report["processes"].size(), 2u);
  ASSERT_FALSE(report["merged"].empty());
  for (const auto& [key, value] : report["merged"].items())
    EXPECT_EQ(report["processes"][1][key].type(), value.type()) << key;
  EXPECT_EQ(report["processes"][1]["pid"], 200);
  EXPECT_EQ(report["processes"][1]["elapsed_seconds"], 5.0);
}

TEST_F(WriteJsonTest, UnknownsAreNull) {
  profile_.Add("? [m.so]", kNative, 1);
  profile_.profile().processes[0].end->exit_code = -1;
  profile_.profile().processes[0].end->exit_signal = 9;
  const json process = Parsed()["processes"][0];
  EXPECT_TRUE(process["native_functions"][0]["name"].is_null());
  EXPECT_TRUE(process["threads"][0]["clock_cpu_seconds"].is_null());
  EXPECT_TRUE(process["exit"]["code"].is_null());
  EXPECT_EQ(process["exit"]["signal"], 9);
}

TEST_F(WriteJsonTest, HostileTextIsStillJson) {
  profile_.Add("a\"\n\x1b\xff:3", kPython, 1);
  EXPECT_EQ(Parsed()["merged"]["files"][0]["lines"][0]["function"], "a\"\n\x1b\uFFFD");
}

TEST_F(WriteJsonTest, AbsurdWeightsGiveNoNaN) {
  profile_.Add("main:3", kPython, 1).Add("main:3", kSleep, 0);
  profile_.profile().samples.weight_ns.Set(0, std::numeric_limits<uint64_t>::max());
  profile_.Elapsed(0);
  const json totals = Parsed()["merged"]["totals"];
  ASSERT_FALSE(totals.empty());
  for (const auto& [name, amount] : totals.items())
    for (const auto& [key, value] : amount.items()) EXPECT_TRUE(value.is_number()) << name << key;
}

// Quantities that each have a name in one table have no other here.
TEST_F(WriteJsonTest, ActivitiesHaveTheNamesOfTheirMetrics) {
  for (size_t i = 0; i < format::kActivityCount; ++i)
    profile_.Add("main:10", format::Activity(i), 1);
  std::vector<std::string> names, expected;
  const json totals = Parsed()["merged"]["totals"];
  for (const auto& [name, amount] : totals.items()) names.push_back(name);
  for (size_t i = 0; i < format::kActivityCount; ++i)
    expected.emplace_back(metric::InfoOf(metric::Of(format::Activity(i))).name);
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(expected));
}

TEST_F(WriteJsonTest, VerdictsHaveTheMetricThatTheyAreAbout) {
  profile_.Add("main:10", kNative, 3).Add("main:12", kIoWait, 6);
  const json verdicts = Parsed()["verdicts"];
  EXPECT_EQ(verdicts[0]["kind"], "wait");
  EXPECT_EQ(verdicts[0]["metric"], "io_wait");
  EXPECT_EQ(verdicts[1]["kind"], "cpu");
  EXPECT_EQ(verdicts[1]["metric"], "native");
}

TEST_F(WriteJsonTest, CountersHaveIdsAndClasses) {
  profile_.Counter(format::CounterKind::kLoss, "records dropped, ring full", 5)
      .Counter(format::CounterKind::kLoss, "lines that make no sense", 2)
      .Counter(format::CounterKind::kCost, "sampling", 7)
      .Counter(format::CounterKind::kFact, "imported from pstats", 1);
  const json report = Parsed();
  const json& dropped = report["losses"][0];
  EXPECT_EQ(dropped["id"], "records_dropped");
  EXPECT_EQ(dropped["class"], "lost_samples");
  EXPECT_EQ(dropped["unit"], "count");
  EXPECT_EQ(dropped["value"], 5);
  EXPECT_FALSE(dropped["text"].get<std::string>().empty());
  EXPECT_EQ(report["losses"][1]["id"], "lines that make no sense");
  EXPECT_EQ(report["losses"][1]["class"], "lost_detail");
  EXPECT_EQ(report["costs"][0]["unit"], "nanoseconds");
  EXPECT_EQ(report["facts"][0]["id"], "imported_from");
  EXPECT_EQ(report["facts"][0]["text"], "pstats");
}

TEST_F(WriteJsonTest, EmptyProfileIsAReportToo) {
  std::ostringstream out;
  WriteJson(analyze::BuildReport(profile::Profile{}, {}), out);
  const json report = json::parse(out.str());
  EXPECT_EQ(report["processes"], json::array());
  EXPECT_EQ(report["verdicts"][0]["kind"], "no_samples");
  EXPECT_TRUE(report["verdicts"][0]["metric"].is_null());
}

}  // namespace
}  // namespace pyrometer::export_
