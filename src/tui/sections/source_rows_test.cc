// SPDX-License-Identifier: Apache-2.0
#include "tui/sections/source_rows.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace pyrometer::tui {
namespace {

// Rows are written as line numbers, "…" for a gap, "_" for a skipped blank.
class ChooseRowsTest : public ::testing::Test {
 public:
  ChooseRowsTest() {
    source_.lines = {"@decorator",    // 1
                     "def f():",      // 2
                     "    a = 1",     // 3
                     "    b = 2",     // 4
                     "    c = 3",     // 5
                     "    d = 4",     // 6
                     "    return d",  // 7
                     "",              // 8
                     "x = f()",       // 9
                     "y = x",         // 10
                     "z = y"};        // 11
    file_.functions.push_back({"f", 1, {}, {}, {}});
    file_.functions.push_back({"<module>", 1, {}, {}, {}});
  }

  ChooseRowsTest& Time(uint32_t line, uint64_t ns, std::string function = "f") {
    analyze::LineStats stats;
    stats.line = line;
    stats.function = std::move(function);
    stats.scoped.AddSample(format::Activity::kPython, ns, 1, true);
    file_.lines.push_back(stats);
    return *this;
  }
  std::string Rows(bool reduced = false, bool with_source = true) {
    std::string text;
    for (const SourceRow& row : ChooseRows(
             file_, with_source ? &source_ : nullptr, reduced, [this](const analyze::LineStats& l) {
               return l.function == hidden_      ? LineInterest::kNone
                      : l.scoped.cpu().ns >= 100 ? LineInterest::kHot
                                                 : LineInterest::kSome;
             })) {
      if (!text.empty()) text += ' ';
      text += row.number > 0 || row.stats ? std::to_string(row.number) : row.gap ? "…" : "_";
    }
    return text;
  }

  analyze::FileStats file_;
  std::string hidden_ = "no such function";
  analyze::SourceFile source_;
};

TEST_F(ChooseRowsTest, HotLineWithNeighboursAndItsDefinition) {
  Time(6, 100);
  EXPECT_EQ(Rows(), "2 … 5 6 7");
}

TEST_F(ChooseRowsTest, BlankNeighboursAreLeftOut) {
  Time(7, 100).Time(9, 100, "<module>");
  EXPECT_EQ(Rows(), "2 … 6 7 _ 9 10");
}

TEST_F(ChooseRowsTest, ColdLinesAreLeftOut) {
  Time(3, 1).Time(6, 100);
  EXPECT_EQ(Rows(), "2 … 5 6 7");
}

TEST_F(ChooseRowsTest, ModuleLevelHasNoDefinition) {
  Time(10, 100, "<module>");
  EXPECT_EQ(Rows(), "9 10 11");
}

TEST_F(ChooseRowsTest, WithoutHotLinesTheHottestThree) {
  Time(3, 1).Time(4, 9).Time(6, 5).Time(10, 7, "<module>");
  EXPECT_EQ(Rows(true), "4 6 10");
}

TEST_F(ChooseRowsTest, LinesOfNoInterestAreNeverChosen) {
  Time(2, 200, "f").Time(7, 300, "g").Time(8, 9, "g");
  hidden_ = "g";
  EXPECT_EQ(Rows(true), "2");
  hidden_ = "f";
  EXPECT_EQ(Rows(true), "7");
}

TEST_F(ChooseRowsTest, ReducedHasNoContext) {
  Time(4, 100).Time(6, 100);
  EXPECT_EQ(Rows(true), "4 6");
}

TEST_F(ChooseRowsTest, WithoutSourceOnlyTheLinesThemselves) {
  Time(4, 100).Time(6, 100);
  EXPECT_EQ(Rows(false, false), "4 6");
}

TEST_F(ChooseRowsTest, LinesBeyondTheSourceAndWithoutNumber) {
  Time(0, 100).Time(500, 100);
  EXPECT_EQ(Rows(), "0 2 … 500");
}

}  // namespace
}  // namespace pyrometer::tui
