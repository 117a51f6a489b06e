// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/ranks.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using format::Activity;
using format::CounterKind;

TEST(RanksTest, SlowestAgainstTheMedian) {
  testing::ProfileBuilder profile;
  profile.Add("main:1", Activity::kPython, 1);
  for (const auto& [pid, rank, seconds] :
       {std::tuple{201, 0, 10.0}, {202, 1, 12.0}, {203, 2, 20.0}}) {
    profile.Process(static_cast<uint64_t>(pid), 1, 1 + seconds);
    profile.Counter(CounterKind::kFact, "RANK", static_cast<uint64_t>(rank));
    profile.Counter(CounterKind::kFact, "LOCAL_RANK", 0);
    profile.Add("train:5", Activity::kPython, seconds / 2);
  }
  profile.Process(204, 5, 22);  // a worker of rank 1
  profile.Counter(CounterKind::kFact, "RANK", 1);
  const RankTable table = BuildReport(profile.Build(), {}).ranks;
  EXPECT_EQ(table.variable, "RANK");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].rank, 1u);
  EXPECT_EQ(table.rows[0].processes, 2u);
  EXPECT_EQ(table.rows[0].elapsed_ns(), 21'000'000'000u);
  EXPECT_EQ(table.rows[1].rank, 2u);
  EXPECT_EQ(table.rows[1].cpu_ns, 10'000'000'000u);
  EXPECT_EQ(table.median_elapsed_ns, 20'000'000'000u);
}

TEST(RanksTest, OneRankIsNoComparison) {
  testing::ProfileBuilder profile;
  profile.Counter(CounterKind::kFact, "RANK", 0);
  profile.Add("main:1", Activity::kPython, 1);
  EXPECT_TRUE(BuildReport(profile.Build(), {}).ranks.rows.empty());
}

}  // namespace
}  // namespace pyrometer::analyze
