// SPDX-License-Identifier: Apache-2.0
#include "export/collapsed/collapsed.h"

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;

class CollapsedTest : public testing::ExchangeTest {
 protected:
  std::string Lines(const ExchangeOptions& options = {}) const {
    return Written(WriteCollapsed, options);
  }
};

TEST_F(CollapsedTest, StacksHaveMicrosecondsOfTheProcessor) {
  AddExample();
  EXPECT_EQ(Lines(),
            "main (app.py:10);f (app.py:3) 1000000\n"
            "main (app.py:10);f (app.py:4);f (app.py:3) 2000000\n"
            "main (app.py:11);f (app.py:3) 8000000\n");
}

TEST_F(CollapsedTest, OtherMetrics) {
  AddExample();
  EXPECT_EQ(Lines({.metric = Metric::kIoWait}), "main (app.py:11);read [libc.so.6] 4000000\n");
  EXPECT_EQ(Lines({.metric = Metric::kAllocated}), "main (app.py:10) 4096\n");
  EXPECT_EQ(Lines({.metric = Metric::kLiveAtPeak}), "main (app.py:10) 3500\n");
  EXPECT_EQ(Lines({.metric = Metric::kSleep}), "");
}

TEST_F(CollapsedTest, FunctionsAndThreads) {
  AddExample();
  EXPECT_EQ(Lines({.functions = true}),
            "main (app.py);f (app.py) 9000000\n"
            "main (app.py);f (app.py);f (app.py) 2000000\n");
  const std::string lines = Lines({.functions = true, .threads = true});
  EXPECT_NE(lines.find("worker (100/101);main (app.py);f (app.py) 8000000\n"), lines.npos) << lines;
}

TEST_F(CollapsedTest, WhatIsBelowAMicrosecondGoesToTheNext) {
  for (int line = 1; line <= 10; ++line) profile_.Add("f:" + std::to_string(line), kPython, 0.4e-6);
  std::istringstream lines(Lines());
  uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);)
    sum += std::stoull(line.substr(line.rfind(' ')));
  EXPECT_EQ(sum, 4u);
}

TEST_F(CollapsedTest, WhatReadsTheSameIsOneLine) {
  profile_.Add("f@1:9", kPython, 1).Add("f@2:9", kPython, 2);
  EXPECT_EQ(Lines(), "f (app.py:9) 3000000\n");
}

TEST_F(CollapsedTest, NamesCannotEndALineOrAFrame) {
  profile_.Add("#a;b\n c 5:1", kPython, 1).Add("", kPython, 2);
  EXPECT_EQ(Lines(), "_a_b_ c 5 (app.py:1) 1000000\n<no stack> 2000000\n");
}

}  // namespace
}  // namespace pyrometer::export_
