// SPDX-License-Identifier: Apache-2.0
#include "tui/diff/print_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "analyze/diff/testing/example_diff.h"
#include "tui/testing/printed.h"

namespace pyrometer::tui {
namespace {

using analyze::testing::ExampleDiff;
using analyze::testing::ExampleLimits;
using analyze::testing::HostileDiff;
using testing::ExpectFits;
using testing::ExpectGolden;
using ::testing::HasSubstr;
using testing::Lines;
using ::testing::Not;

std::string Printed(const analyze::Diff& diff, const ReportStyle& style, size_t rows = 10) {
  std::ostringstream out;
  PrintDiff(out, diff, ExampleLimits(diff), style, rows);
  return out.str();
}

std::string Markdown(const analyze::Diff& diff) {
  std::ostringstream out;
  PrintDiffMarkdown(out, diff, ExampleLimits(diff), 10);
  return out.str();
}

TEST(PrintDiffGolden, Narrow) {
  ExpectGolden("diff-80.txt", Printed(ExampleDiff(), {.width = 80, .unicode = true}));
}
TEST(PrintDiffGolden, Wide) {
  ExpectGolden("diff-140.txt", Printed(ExampleDiff(), {.width = 140, .unicode = true}));
}
TEST(PrintDiffGolden, Markdown) { ExpectGolden("diff-markdown.txt", Markdown(ExampleDiff())); }

TEST(PrintDiff, FitsAnyWidthWhateverTheNames) {
  for (const size_t width : {60, 80, 100, 120, 200})
    for (const bool unicode : {false, true}) {
      ExpectFits(Printed(ExampleDiff(), {.width = width, .unicode = unicode}), width);
      ExpectFits(Printed(HostileDiff(), {.width = width, .unicode = unicode}), width);
    }
}

TEST(PrintDiff, ColoursSayNothingThatSignsDoNot) {
  std::string coloured = Printed(ExampleDiff(), {.width = 120, .color = true, .unicode = true});
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31m"));
  for (size_t at; (at = coloured.find('\x1b')) != coloured.npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, Printed(ExampleDiff(), {.width = 120, .unicode = true}));
}

TEST(PrintDiff, SaysHowManyRowsAreNotShown) {
  EXPECT_THAT(Printed(ExampleDiff(), {.width = 100}, 1), HasSubstr("and 1 more"));
}

TEST(PrintDiff, NothingThatChangedIsSaid) {
  analyze::Diff diff = ExampleDiff();
  for (analyze::MetricDiff& metric : diff.metrics) {
    metric.total.significant = false;
    for (auto* rows : {&metric.functions, &metric.lines, &metric.paths})
      for (analyze::DiffRow& row : *rows) row.change.significant = false;
  }
  const std::string text = Printed(diff, {.width = 100});
  EXPECT_THAT(text, HasSubstr("Nothing has changed by more than chance"));
  EXPECT_THAT(text, HasSubstr("most different, maybe by chance"));
}

TEST(PrintDiffMarkdown, EveryRowHasTheCellsOfItsHead) {
  for (const analyze::Diff& diff : {ExampleDiff(), HostileDiff()}) {
    size_t rows = 0;
    for (const std::string& line : Lines(Markdown(diff))) {
      if (!line.starts_with('|')) continue;
      EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 9) << line;
      ++rows;
    }
    EXPECT_GT(rows, 5u);
  }
}

TEST(PrintDiffMarkdown, HostileNamesAreOnlyText) {
  const std::string text = Markdown(HostileDiff());
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_THAT(text, Not(HasSubstr("</script>")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

}  // namespace
}  // namespace pyrometer::tui
