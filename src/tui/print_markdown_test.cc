// SPDX-License-Identifier: Apache-2.0
#include "tui/print_markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "tui/testing/printed.h"

namespace pyrometer::tui {
namespace {

using metric::Metric;

using analyze::testing::ExampleProfile;
using analyze::testing::ProfileBuilder;
using testing::ExpectGolden;
using ::testing::HasSubstr;
using testing::HostileProfile;
using testing::Lines;
using ::testing::Not;

std::string Markdown(const ProfileBuilder& profile, const Listing& listing = {}) {
  std::ostringstream out;
  PrintMarkdown(
      out,
      analyze::BuildReport(profile.Build(), {.metric = listing.sort, .tree_threshold_percent = 1}),
      listing);
  return out.str();
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Cells of a row of a table, as GitHub splits it: at pipes that no backslash is
// before; there is none in what we write.
size_t Cells(const std::string& row) { return Count(row, "|") - 1; }

TEST(PrintMarkdownGolden, Example) { ExpectGolden("markdown.txt", Markdown(ExampleProfile())); }

TEST(PrintMarkdown, EveryRowHasTheCellsOfItsHead) {
  for (const ProfileBuilder& profile : {ExampleProfile(), HostileProfile()}) {
    size_t cells = 0, rows = 0;
    bool fenced = false;
    for (const std::string& line : Lines(Markdown(profile))) {
      if (line.starts_with("```")) fenced = !fenced;
      if (fenced || !line.starts_with("|")) {
        cells = 0;
        continue;
      }
      if (cells == 0) cells = Cells(line);
      EXPECT_EQ(Cells(line), cells) << line;
      ++rows;
    }
    EXPECT_GT(rows, 10u);
  }
}

TEST(PrintMarkdown, HostileTextStaysText) {
  const std::string text = Markdown(HostileProfile());
  EXPECT_EQ(Count(text, "<details>"), Count(text, "</details>\n"));
  bool fenced = false;
  for (const std::string& line : Lines(text)) {
    for (const char c : line) ASSERT_GE(static_cast<unsigned char>(c), ' ');
    const bool is_fence = line.starts_with("```");
    if (is_fence) fenced = !fenced;
    if (fenced || is_fence) continue;
    // Outside of backticks there are no tags but ours.
    std::string rest = line;
    for (const char* ours :
         {"<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>"})
      for (size_t at; (at = rest.find(ours)) != rest.npos;)
        rest.erase(at, std::string(ours).size());
    for (size_t open; (open = rest.find('`')) != rest.npos;) {
      const size_t close = rest.find('`', open + 1);
      ASSERT_NE(close, rest.npos) << line;
      rest.erase(open, close - open + 1);
    }
    EXPECT_EQ(rest.find_first_of("<@"), rest.npos) << line;
  }
  EXPECT_FALSE(fenced);
}

TEST(PrintMarkdown, ListsWhatIsAskedFor) {
  const std::string text = Markdown(ExampleProfile(), {.max_lines = 1, .functions = {"compare"}});
  EXPECT_THAT(text, HasSubstr("pipeline.py:25"));
  EXPECT_THAT(text, HasSubstr("and 2 more"));
  EXPECT_THAT(text, Not(HasSubstr("pipeline.py:18`")));
  EXPECT_THAT(text, HasSubstr("listed&#58; functions that match compare"));
}

TEST(PrintMarkdown, EmptyCapture) {
  std::ostringstream out;
  PrintMarkdown(out, analyze::BuildReport(profile::Profile{}, {}), {});
  EXPECT_THAT(out.str(), HasSubstr("0 samples"));
}

TEST(PrintMarkdown, OtherMetrics) {
  const std::string text = Markdown(ExampleProfile(), {.sort = Metric::kLiveAtPeak});
  EXPECT_THAT(text, HasSubstr("| live MB | % | CPU s |"));
  EXPECT_THAT(text, Not(HasSubstr("Most memory")));
}

}  // namespace
}  // namespace pyrometer::tui
