// SPDX-License-Identifier: Apache-2.0
// The tree of calls in the console report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/testing/example_profile.h"
#include "tui/testing/printed.h"

namespace pyrometer::tui {
namespace {

using enum format::Activity;
using analyze::testing::ExampleProfile;
using analyze::testing::ProfileBuilder;
using metric::Metric;
using testing::ExpectFits;
using testing::ExpectGolden;
using ::testing::HasSubstr;
using testing::HostileProfile;
using testing::kUnicode80;
using ::testing::Not;
using testing::Printed;

const std::string kLib = "/usr/lib/python3.12/json/decoder.py|";
const std::string kOther = "/venv/lib/python3.12/site-packages/numpy/core.py|";
const Listing kTree{.shape = Listing::Shape::kTree};

TEST(CallTreeGolden, Unicode80) {
  ExpectGolden("tree_80_unicode.txt", Printed(ExampleProfile(), kUnicode80, kTree));
}
TEST(CallTreeGolden, Ascii80) {
  ExpectGolden("tree_80_ascii.txt", Printed(ExampleProfile(), {.width = 80}, kTree));
}
TEST(CallTreeGolden, All120) {
  ExpectGolden("tree_120_all.txt",
               Printed(ExampleProfile(), {.width = 120, .unicode = true}, kTree, true));
}
TEST(CallTreeGolden, Memory80) {
  ExpectGolden("tree_80_memory.txt",
               Printed(ExampleProfile(), kUnicode80,
                       {.shape = Listing::Shape::kTree, .sort = Metric::kLiveAtPeak}));
}

TEST(PrintCallTree, LibrariesThatPassACallOnAreHidden) {
  ProfileBuilder profile;
  profile.Add("main:1 > " + kLib + "load:1 > " + kOther + "array:2 > hook:7", kPython, 1);
  EXPECT_THAT(Printed(profile, kUnicode80, kTree), HasSubstr("└ [2 frames hidden: json, numpy]\n"));
}

TEST(PrintCallTree, LibrariesWithTimeOfTheirOwnHaveTheNameOfTheCall) {
  ProfileBuilder profile;
  profile.Add("main:1 > " + kLib + "load@4:1 > " + kLib + "scan:2", kPython, 1);
  EXPECT_THAT(Printed(profile, {.width = 100, .unicode = true}, kTree),
              HasSubstr("└ load  json/decoder.py:4  [1 frame hidden: json]\n"));
}

TEST(PrintCallTree, SelfIsALineWhereItMatters) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:2", kPython, 1).Add("main:1", kPython, 0.5);
  EXPECT_THAT(Printed(profile, kUnicode80, kTree), HasSubstr("└ [self]"));
  profile.Add("main:1 > f:2", kPython, 100);
  EXPECT_THAT(Printed(profile, kUnicode80, kTree), Not(HasSubstr("[self]")));
}

TEST(PrintCallTree, RecursionIsSaid) {
  ProfileBuilder profile;
  profile.Add("main:1 > f@2:2 > f@2:3", kPython, 1);
  EXPECT_THAT(Printed(profile, kUnicode80, kTree), HasSubstr("└ f  app.py:2  recursive\n"));
}

TEST(PrintCallTree, OnlyPathsWithWhatMatches) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:2 > leaf:5", kPython, 1).Add("main:1 > g:3 > other:6", kPython, 1);
  const std::string text =
      Printed(profile, kUnicode80, {.shape = Listing::Shape::kTree, .functions = {"f"}});
  for (const char* name : {"main  ", "f  ", "leaf  "}) EXPECT_THAT(text, HasSubstr(name));
  for (const char* name : {"g  ", "other  "}) EXPECT_THAT(text, Not(HasSubstr(name)));
  EXPECT_THAT(text, HasSubstr("  2.000  100 "));
  EXPECT_THAT(
      Printed(profile, kUnicode80, {.shape = Listing::Shape::kTree, .functions = {"no such"}}),
      HasSubstr("\nnone\n"));
}

TEST(PrintCallTree, NoMoreLinesThanWanted) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:2 > leaf:5", kPython, 1);
  const std::string text =
      Printed(profile, kUnicode80, {.shape = Listing::Shape::kTree, .max_lines = 2});
  EXPECT_THAT(text, HasSubstr("main  "));
  EXPECT_THAT(text, Not(HasSubstr("leaf  ")));
  EXPECT_THAT(text, HasSubstr("and 2 more"));
}

TEST(PrintCallTree, FitsAtEveryWidth) {
  for (const Metric metric : {Metric::kTime, Metric::kWait, Metric::kLiveAtPeak}) {
    const Listing listing{.shape = Listing::Shape::kTree, .sort = metric};
    for (const size_t width : {60, 80, 100, 120, 160, 200}) {
      for (const bool all : {false, true}) {
        const ReportStyle style{.width = width, .unicode = true};
        ExpectFits(Printed(ExampleProfile(), style, listing, all), width);
        ExpectFits(Printed(HostileProfile(), style, listing, all), width);
      }
    }
  }
}

TEST(PrintCallTree, AsciiIsAscii) {
  for (const char c : Printed(HostileProfile(), {.width = 100}, kTree))
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
}

}  // namespace
}  // namespace pyrometer::tui
