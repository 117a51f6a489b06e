// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace pyrometer::metric {
namespace {

TEST(MetricTest, SumsHaveTheActivitiesThatTheySay) {
  using enum format::Activity;
  for (size_t i = 0; i < format::kActivityCount; ++i) {
    const auto activity = format::Activity(i);
    EXPECT_TRUE(Contains(Metric::kWall, activity));
    EXPECT_EQ(Contains(Metric::kCpu, activity), format::IsOnCpu(activity));
    EXPECT_EQ(Contains(Metric::kWait, activity), !format::IsOnCpu(activity));
    EXPECT_EQ(Contains(Metric::kTime, activity), format::IsOnCpu(activity));
    EXPECT_TRUE(Contains(Of(activity), activity));
  }
  EXPECT_FALSE(Contains(Metric::kGc, kPython));
}

TEST(MetricTest, TitlesAndNamesAreUnique) {
  std::set<std::string> names, titles;
  for (const Info& info : All()) {
    EXPECT_TRUE(names.emplace(info.name).second) << info.name;
    EXPECT_TRUE(titles.emplace(info.title).second) << info.title;
    EXPECT_FALSE(info.meaning.empty()) << info.name;
  }
  EXPECT_EQ(names.size(), kCount);
}

// Rows of the glossary that name a metric.
std::vector<std::string> GlossaryRows() {
  std::ifstream file(PYRO_GLOSSARY);
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) rows.push_back(line);
  return rows;
}

TEST(MetricTest, TheGlossaryHasEachAsItIsHere) {
  std::vector<std::string> expected;
  for (const Info& info : All())
    expected.push_back("| `" + std::string(info.name) + "` | " + std::string(info.title) + " | " +
                       std::string(UnitName(info)) + " | " + std::string(info.meaning) + " |");
  EXPECT_THAT(GlossaryRows(), ::testing::UnorderedElementsAreArray(expected));
}

}  // namespace
}  // namespace pyrometer::metric
