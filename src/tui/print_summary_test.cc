// SPDX-License-Identifier: Apache-2.0
#include "tui/print_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "tui/testing/printed.h"

namespace pyrometer::tui {
namespace {

using enum format::Activity;
using analyze::testing::ExampleProfile;
using analyze::testing::ProfileBuilder;
using analyze::testing::WithoutMemory;
using analyze::testing::WithoutTime;
using testing::ExpectGolden;
using ::testing::HasSubstr;
using testing::HostileProfile;
using testing::Lines;
using ::testing::Not;

std::string Summary(const ProfileBuilder& profile, const Listing& listing = {}) {
  std::ostringstream out;
  PrintSummary(out,
               analyze::BuildReport(profile.Build(), {.metric = listing.sort,
                                                      .lines_with_callers = SummaryLines(listing)}),
               listing);
  return out.str();
}

TEST(PrintSummaryGolden, Example) { ExpectGolden("summary.txt", Summary(ExampleProfile())); }

TEST(PrintSummary, IsShort) {
  EXPECT_LE(Summary(ExampleProfile()).size(), kSummaryBytes);
  ProfileBuilder many;
  for (int i = 1; i < 500; ++i)
    many.Add("main:1 > f" + std::to_string(i) + ":" + std::to_string(i), kPython, 1);
  EXPECT_LE(Summary(many).size(), kSummaryBytes);
  EXPECT_THAT(Summary(many, {.max_lines = 30}), HasSubstr("\n30. "));
}

TEST(PrintSummary, WhatDoesNotFitIsCounted) {
  const std::string text = Summary(HostileProfile());
  EXPECT_THAT(text, HasSubstr("more left out)"));
  EXPECT_THAT(text, HasSubstr("look next:\n- "));
  EXPECT_LE(text.size(), kSummaryBytes + 1024);
}

TEST(PrintSummary, HostileTextStaysInItsLine) {
  for (const std::string& line : Lines(Summary(HostileProfile())))
    for (const char c : line) ASSERT_GE(static_cast<unsigned char>(c), ' ');
}

TEST(PrintSummary, LinesHaveTheirCallers) {
  ProfileBuilder profile;
  profile.Add("main:1 > f:5", kPython, 3).Add("main:2 > g:4 > f:5", kPython, 1);
  EXPECT_THAT(Summary(profile), HasSubstr("1. app.py:5 in f: CPU 4.000 s +-"));
  EXPECT_THAT(Summary(profile), HasSubstr(" (100 %), of it Python 4.000, 2 samples\n"));
  EXPECT_THAT(Summary(profile), HasSubstr("called from: main:1 (75 % of it; 1 other chain)"));
}

TEST(PrintSummary, SaysWhatWasNotRecorded) {
  EXPECT_THAT(Summary(WithoutMemory(ExampleProfile())), HasSubstr("\nmemory: not recorded\n"));
  EXPECT_THAT(Summary(WithoutTime(ExampleProfile())), HasSubstr("s; not recorded\n"));
  EXPECT_THAT(Summary(ExampleProfile()),
              HasSubstr("losses: 3 samples skipped, Python stack in motion\n"));
}

TEST(PrintSummary, ListsWhatIsAskedFor) {
  const std::string text = Summary(ExampleProfile(), {.functions = {"best_pairs"}});
  EXPECT_THAT(text, HasSubstr("1. pipeline.py:32 in best_pairs"));
  EXPECT_THAT(text, HasSubstr("called from: <module>:49 > main:46\n"));
  EXPECT_THAT(text, Not(HasSubstr("in score")));
}

TEST(PrintSummary, EmptyCapture) {
  std::ostringstream out;
  PrintSummary(out, analyze::BuildReport(profile::Profile{}, {}), {});
  EXPECT_THAT(out.str(), HasSubstr("nothing was recorded: run it longer"));
}

}  // namespace
}  // namespace pyrometer::tui
