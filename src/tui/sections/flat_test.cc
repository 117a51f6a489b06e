// SPDX-License-Identifier: Apache-2.0
// The lines of all files in one table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

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
using testing::Lines;
using ::testing::Not;
using testing::Printed;

Listing Flat(std::optional<Metric> sort = {}) {
  return {.shape = Listing::Shape::kFlat, .sort = sort};
}

// The rows of the table, numbers and all.
std::vector<std::string> Rows(const std::string& text) {
  std::vector<std::string> rows;
  bool inside = false;
  for (const std::string& line : Lines(text)) {
    if (inside && line.empty()) break;
    if (inside) rows.push_back(line);
    if (line.starts_with("Lines  by")) inside = true;
  }
  return rows;
}

TEST(FlatGolden, Unicode80) {
  ExpectGolden("flat_80_unicode.txt", Printed(ExampleProfile(), kUnicode80, Flat()));
}
TEST(FlatGolden, Memory160) {
  ExpectGolden("flat_160_memory.txt", Printed(ExampleProfile(), {.width = 160, .unicode = true},
                                              Flat(Metric::kLiveAtPeak)));
}

TEST(PrintFlat, AddsUpToTheTotalForEveryMetric) {
  for (const metric::Info& info : metric::Listed(metric::kRanked)) {
    double sum = 0, total = 0;
    const auto rows = Rows(Printed(ExampleProfile(), kUnicode80, Flat(info.metric)));
    for (size_t i = 1; i < rows.size(); ++i) {
      const double value = std::strtod(rows[i].c_str(), nullptr);
      (rows[i].ends_with("total") ? total : sum) += value;
    }
    EXPECT_NEAR(sum, total, metric::IsMemory(info.metric) ? 3 : 0.02) << info.name;
  }
}

TEST(PrintFlat, MostFirst) {
  ProfileBuilder profile;
  profile.Add("a.py|f:1", kPython, 1).Add("b.py|g:2", kNative, 2).Add("a.py|f:3", kIoWait, 3);
  const auto by_time = Rows(Printed(profile, kUnicode80, Flat()));
  EXPECT_THAT(by_time[1], HasSubstr("a.py:3"));
  EXPECT_THAT(by_time[2], HasSubstr("b.py:2"));
  EXPECT_THAT(by_time[3], HasSubstr("a.py:1"));
  const auto by_python = Rows(Printed(profile, kUnicode80, Flat(Metric::kPython)));
  EXPECT_THAT(by_python[0], HasSubstr("Python s"));
  EXPECT_THAT(by_python[1], HasSubstr("a.py:1"));
  EXPECT_THAT(by_python[2], HasSubstr("total"));
}

TEST(PrintFlat, NoMoreLinesThanWanted) {
  Listing listing = Flat();
  listing.max_lines = 2;
  const auto rows = Rows(Printed(ExampleProfile(), kUnicode80, listing));
  EXPECT_THAT(rows[1], HasSubstr("weight = math"));
  EXPECT_THAT(rows[3], HasSubstr("more lines)"));
}

TEST(PrintFlat, WantedLinesAreListedHoweverLittle) {
  ProfileBuilder profile;
  for (int i = 1; i < 9; ++i) profile.Add("f:" + std::to_string(i), kPython, 0.001);
  profile.Add("g:9", kPython, 100);
  EXPECT_EQ(Rows(Printed(profile, kUnicode80, Flat())).size(), 1 + 3 + 2u);
  Listing listing = Flat();
  listing.max_lines = 7;
  EXPECT_EQ(Rows(Printed(profile, kUnicode80, listing)).size(), 1 + 7 + 2u);
}

TEST(PrintFlat, WhatMatchesIsListedHoweverLittle) {
  ProfileBuilder profile;
  profile.Add("a.py|f:1", kPython, 100).Add("b.py|g:2", kPython, 0.01);
  Listing listing = Flat();
  listing.functions = {"g"};
  const auto rows = Rows(Printed(profile, kUnicode80, listing));
  EXPECT_THAT(rows[1], HasSubstr("b.py:2"));
  EXPECT_THAT(rows[2], HasSubstr("total"));
  listing.functions = {"no such"};
  EXPECT_THAT(Printed(profile, kUnicode80, listing), HasSubstr("\nnone\n"));
}

TEST(PrintFlat, FitsAtEveryWidth) {
  for (const metric::Info& info : metric::Listed(metric::kRanked)) {
    for (const size_t width : {60, 80, 100, 120, 160, 200}) {
      const ReportStyle style{.width = width, .unicode = true};
      ExpectFits(Printed(ExampleProfile(), style, Flat(info.metric)), width);
      ExpectFits(Printed(HostileProfile(), style, Flat(info.metric)), width);
    }
  }
}

}  // namespace
}  // namespace pyrometer::tui
