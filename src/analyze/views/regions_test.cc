// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/regions.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(RegionsTest, AddUpByName) {
  testing::ProfileBuilder builder;
  for (int i = 0; i < 4; ++i) builder.Add("main:1", format::Activity::kPython, 1);
  profile::Profile& profile = builder.profile();
  const auto name = [&](const char* text) {
    profile.strings.emplace_back(text);
    return format::StringId(static_cast<uint32_t>(profile.strings.size() - 1));
  };
  const format::StringId load = name("load"), parse = name("parse");
  profile.regions = {{format::ThreadId(0), load, 0, 1 * kSecond, 5},
                     {format::ThreadId(0), parse, 0, 100 * kSecond, 7},
                     {format::ThreadId(0), load, 2 * kSecond, 3 * kSecond, 6}};
  const std::vector<RegionStats> rows = BuildReport(profile, {}).regions;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "parse");
  EXPECT_EQ(rows[0].samples, 4u);
  EXPECT_EQ(rows[1].name, "load");
  EXPECT_EQ(rows[1].count, 2u);
  EXPECT_EQ(rows[1].wall_ns, 4 * kSecond);
  EXPECT_EQ(rows[1].longest_ns, 3 * kSecond);
  EXPECT_EQ(rows[1].cpu_ns, 11u);
}

}  // namespace
}  // namespace pyrometer::analyze
