// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/limit.h"

#include <gtest/gtest.h>

#include "analyze/diff/change_text.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using What = Limit::What;

Limit Parsed(const std::string& text) {
  const auto limit = ParseLimit(text, {});
  EXPECT_TRUE(limit.ok()) << (limit.ok() ? "" : limit.error().message);
  return limit.ok() ? limit.value() : Limit();
}

std::string ErrorOf(const std::string& text) {
  const auto limit = ParseLimit(text, {});
  return limit.ok() ? "" : limit.error().message;
}

TEST(ParseLimitTest, Totals) {
  Limit limit = Parsed("cpu:total>5%");
  EXPECT_EQ(limit.what, What::kTotal);
  EXPECT_EQ(limit.metric, Metric::kCpu);
  EXPECT_EQ(limit.amount, 5);
  EXPECT_TRUE(limit.percent);
  limit = Parsed("memory:peak > 10 MB");
  EXPECT_EQ(limit.metric, Metric::kLiveAtPeak);
  EXPECT_EQ(limit.amount, 10e6);
  EXPECT_FALSE(limit.percent);
  EXPECT_EQ(Parsed("wait:total>1.5s").amount, 1.5e9);
  EXPECT_EQ(Parsed("cpu:total>200ms").amount, 200e6);
  EXPECT_EQ(Parsed("allocated:total>3kB").amount, 3e3);
  EXPECT_EQ(Parsed("cpu:total>0%").amount, 0);
}

TEST(ParseLimitTest, FunctionsAndLines) {
  Limit limit = Parsed("line:pkg/module.py:42 cpu>2%");
  EXPECT_EQ(limit.what, What::kLine);
  EXPECT_EQ(limit.name, "pkg/module.py");
  EXPECT_EQ(limit.line, 42u);
  EXPECT_EQ(limit.metric, Metric::kCpu);
  limit = Parsed("function:Reader.<lambda> allocated>1GB");
  EXPECT_EQ(limit.what, What::kFunction);
  EXPECT_EQ(limit.name, "Reader.<lambda>");
  EXPECT_EQ(Parsed("line:with blank.py:1 cpu>1%").name, "with blank.py");
}

TEST(ParseLimitTest, OneLineSaysWhatIsWrong) {
  for (const std::string text : {"",
                                 "cpu",
                                 "cpu:total",
                                 "cpu>5%",
                                 "cpu:total>",
                                 "cpu:total>x%",
                                 "cpu:total>5",
                                 "cpu:total>5 parsecs",
                                 "cpu:total>-5%",
                                 "cpu:total>inf%",
                                 "cpu:total>nan%",
                                 "cpu:peak>5%",
                                 "cpu:mean>5%",
                                 "cpu:total>5MB",
                                 "memory:peak>5s",
                                 "heat:total>5%",
                                 "function: cpu>5%",
                                 "function:f>5%",
                                 "line:app.py cpu>5%",
                                 "line:app.py:0 cpu>5%",
                                 "line:app.py:x cpu>5%",
                                 "line::4 cpu>5%",
                                 "line:app.py:4 heat>5%"}) {
    const std::string error = ErrorOf(text);
    EXPECT_TRUE(error.starts_with("--fail-if '" + text + "'")) << text << ": " << error;
    EXPECT_EQ(error.find('\n'), error.npos);
  }
  EXPECT_NE(ErrorOf("heat:total>5%").find("there is no metric 'heat'; there are time, wall, cpu"),
            std::string::npos);
}

class CheckLimitsTest : public ::testing::Test {
 protected:
  CheckLimitsTest() {
    diff_.metrics.push_back({.info = metric::InfoOf(Metric::kCpu), .judged = true});
    cpu().total = Grown(10e9, 0.6e9, 0.001);
    cpu().functions = {Row("Reader.load", "pkg/app.py", 10, Grown(4e9, 0.5e9, 0.001)),
                       Row("reload", "pkg/app.py", 30, Grown(1e9, 0.4e9, 0.3))};
    cpu().lines = {Row("Reader.load", "pkg/app.py", 12, Grown(2e9, 0.3e9, 0.001))};
  }

  static Change Grown(double base, double difference, double p) {
    return {.base = base,
            .now = base + difference,
            .difference = difference,
            .judged = true,
            .accident_p = p};
  }
  static DiffRow Row(const std::string& function, const std::string& path, uint32_t line,
                     const Change& change) {
    const CodeTable::Place place{path, function, line};
    return {.code = {.base = place, .now = place}, .change = change};
  }
  MetricDiff& cpu() { return diff_.metrics.front(); }
  bool Exceeds(const std::string& text) {
    const Limit limit = Parsed(text);
    return CheckLimits(diff_, {&limit, 1}).front().exceeded;
  }
  std::string Reason(const std::string& text) {
    const Limit limit = Parsed(text);
    return CheckLimits(diff_, {&limit, 1}).front().reason;
  }

  Diff diff_;
};

TEST_F(CheckLimitsTest, PercentAreOfTheWholeProgram) {
  EXPECT_TRUE(Exceeds("cpu:total>5%"));
  EXPECT_FALSE(Exceeds("cpu:total>7%"));
  EXPECT_TRUE(Exceeds("cpu:total>500ms"));
  EXPECT_TRUE(Exceeds("function:Reader.load cpu>4%"));
  EXPECT_FALSE(Exceeds("function:Reader.load cpu>6%"));
  EXPECT_TRUE(Exceeds("line:pkg/app.py:12 cpu>2%"));
}

TEST_F(CheckLimitsTest, NamesMayBeTheEndOfNames) {
  EXPECT_TRUE(Exceeds("function:load cpu>4%"));
  EXPECT_TRUE(Exceeds("line:app.py:12 cpu>2%"));
  EXPECT_EQ(Reason("function:oad cpu>4%"), "has nothing in these runs");
  EXPECT_EQ(Reason("line:pp.py:12 cpu>2%"), "has nothing in these runs");
  EXPECT_EQ(Reason("line:app.py:13 cpu>2%"), "has nothing in these runs");
}

TEST_F(CheckLimitsTest, WhatMayBeAnAccidentExceedsNothing) {
  EXPECT_EQ(Reason("function:reload cpu>1%"), "is exceeded, but that may be an accident");
  cpu().functions[1].change.accident_p = 0.01;
  EXPECT_TRUE(Exceeds("function:reload cpu>1%"));
}

TEST_F(CheckLimitsTest, MoreLimitsAreMoreChancesForAnAccident) {
  cpu().total.accident_p = 0.06;
  EXPECT_TRUE(Exceeds("cpu:total>5%"));
  const std::vector<Limit> two = {Parsed("cpu:total>5%"), Parsed("cpu:total>9%")};
  EXPECT_FALSE(CheckLimits(diff_, two)[0].exceeded);
}

TEST_F(CheckLimitsTest, LessIsNeverTooMuch) {
  cpu().total = Grown(10e9, -3e9, 0.0001);
  EXPECT_FALSE(Exceeds("cpu:total>0%"));
}

TEST_F(CheckLimitsTest, WhatIsNotThereIsSaid) {
  EXPECT_EQ(Reason("memory:peak>1MB"), "was not recorded by both sides");
  cpu().total.judged = false;
  EXPECT_EQ(Reason("cpu:total>1%"), "has too few samples to say");
}

TEST_F(CheckLimitsTest, TheTextSaysHowMuch) {
  const Limit limit = Parsed("function:load cpu>4%");
  EXPECT_EQ(LimitText(diff_, CheckLimits(diff_, {&limit, 1}).front()),
            "limit 'function:load cpu>4%' is exceeded: Reader.load (pkg/app.py:10) has 4.50 s "
            "instead of 4.00 s of CPU time: +500 ms (+12.5 %), 95 % interval +0 s to +0 s");
}

}  // namespace
}  // namespace pyrometer::analyze
