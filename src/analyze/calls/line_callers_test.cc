// SPDX-License-Identifier: Apache-2.0
#include "analyze/calls/line_callers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using enum format::Activity;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class LineCallersTest : public ::testing::Test {
 protected:
  // "main:1 > f:5 = 300 of 2": milliseconds of the chain, and how many there are.
  std::vector<std::string> Callers(size_t lines = 1) {
    options_.lines_with_callers = lines;
    std::vector<std::string> texts;
    for (const LineCallers& callers : BuildReport(profile_.Build(), options_).callers) {
      std::string text;
      for (const Place& place : callers.places)
        text += place.function + ":" + std::to_string(place.line) + " > ";
      texts.push_back(text + "= " + std::to_string(callers.value / 1'000'000) + " of " +
                      std::to_string(callers.chains));
    }
    return texts;
  }

  testing::ProfileBuilder profile_;
  ReportOptions options_;
};

TEST_F(LineCallersTest, TheChainWithMost) {
  profile_.Add("main:1 > f:5 > hot:9", kPython, 0.1)
      .Add("main:2 > g:7 > hot:9", kPython, 0.3)
      .Add("main:2 > g:8", kPython, 0.2);
  EXPECT_THAT(Callers(2), ElementsAre("main:2 > g:7 > = 300 of 2", "main:2 > = 200 of 1"));
}

TEST_F(LineCallersTest, LibrariesAreNoCallers) {
  profile_.Add("main:1 > /usr/lib/python3.12/x.py|map:3 > hot:9 > /usr/lib/python3.12/x.py|in:4",
               kPython, 0.1);
  EXPECT_THAT(Callers(), ElementsAre("main:1 > = 100 of 1"));
}

TEST_F(LineCallersTest, RecursionIsFolded) {
  profile_.Add("main:1 > f:5 > f:5 > f:9", kPython, 0.1);
  EXPECT_THAT(Callers(), ElementsAre("main:1 > = 100 of 1"));
}

TEST_F(LineCallersTest, OfLongChainsTheInnermost) {
  std::string stack;
  for (int i = 0; i < 200; ++i) stack += "f" + std::to_string(i) + ":1 > ";
  profile_.Add(stack + "hot:9", kPython, 0.1);
  options_.lines_with_callers = 1;
  const Report report = BuildReport(profile_.Build(), options_);
  ASSERT_THAT(report.callers.front().places, SizeIs(50));
  EXPECT_EQ(report.callers.front().places.back().function, "f199");
}

TEST_F(LineCallersTest, NoneUnlessAskedFor) {
  profile_.Add("main:1 > f:5", kPython, 0.1);
  EXPECT_THAT(Callers(0), SizeIs(0));
  EXPECT_THAT(Callers(9), SizeIs(1));
}

TEST_F(LineCallersTest, LinesOfFunctionsWithProfile) {
  profile_.Add("main:1 > f:5 > g:7", kPython, 0.1).Mark("f");
  EXPECT_THAT(Callers(), ElementsAre("main:1 > = 100 of 1"));
}

}  // namespace
}  // namespace pyrometer::analyze
