// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/code_match.h"

#include <gtest/gtest.h>

#include <string>

namespace pyrometer::analyze {
namespace {

constexpr std::optional<uint32_t> kNone;

TEST(CodeMatchTest, FunctionsAndLinesOfTheBaseHaveTheirNumbersInTheNewOne) {
  const std::vector<std::string> was{"def f():", "    a()", "    gone()"};
  const std::vector<std::string> is{"# new", "def g():", "    pass", "def f():", "    a()"};
  const CodeListing base{.files = {{"app.py", was}, {"other.py", {}}},
                         .functions = {{0, "f", 1}, {1, "h", 5}},
                         .lines = {{0, 2}, {0, 3}, {1, 6}}};
  const CodeListing now{.files = {{"app.py", is}},
                        .functions = {{0, "g", 2}, {0, "f", 4}},
                        .lines = {{0, 3}, {1, 5}, {1, 5}}};
  const CodeMatch match = MatchCode(base, now);
  EXPECT_EQ(match.functions, (std::vector<std::optional<uint32_t>>{1, kNone}));
  EXPECT_EQ(match.lines, (std::vector<std::optional<uint32_t>>{1, kNone, kNone}));
}

// Of a large program: thousands of functions, and as many that have one name in one file.
TEST(CodeMatchTest, ManyFunctionsAreMatchedWithoutComparingEachWithEach) {
  constexpr uint32_t kFunctions = 60'000;
  std::vector<std::string> names, paths;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    names.push_back(i % 2 == 0 ? "<lambda>" : "f" + std::to_string(i));
    paths.push_back("package" + std::to_string(i / 20) + "/__init__.py");
  }
  CodeListing listing;
  for (uint32_t i = 0; i < kFunctions; ++i) {
    if (i % 20 == 0) listing.files.push_back({paths[i], {}});
    const uint32_t file = i % 4 == 0 ? 0 : i / 20;  // lambdas are in one file mostly
    listing.functions.push_back({file, names[i], i + 1});
  }
  const CodeMatch match = MatchCode(listing, listing);
  for (uint32_t i = 0; i < kFunctions; ++i) ASSERT_EQ(match.functions[i], i);
}

}  // namespace
}  // namespace pyrometer::analyze
