// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/memory_levels.h"

#include <gtest/gtest.h>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

constexpr uint64_t kMb = 1'000'000;

class MemoryLevelsTest : public ::testing::Test {
 protected:
  ViewMemory Memory() { return BuildReport(profile_.Build(), {}).merged.memory; }

  testing::ProfileBuilder profile_;
};

TEST_F(MemoryLevelsTest, RssIsTheSumOfItsParts) {
  profile_.Level(1, {.rss_bytes = 100 * kMb,
                     .python_bytes = 30 * kMb,
                     .native_bytes = 20 * kMb,
                     .mapped_bytes = 5 * kMb,
                     .arena_bytes = 40 * kMb,
                     .small_bytes = 28 * kMb});
  const MemoryLevels level = Memory().end_levels.value();
  EXPECT_EQ(level.in_use(), 55 * kMb);
  EXPECT_EQ(level.arena_slack(), 12 * kMb);
  EXPECT_EQ(level.rest(), static_cast<int64_t>(33 * kMb));
  EXPECT_EQ(level.pss_bytes, 0u);
}

TEST_F(MemoryLevelsTest, MemoryThatIsNotTouchedMakesTheRestNegative) {
  profile_.Level(1, {.rss_bytes = 10 * kMb, .mapped_bytes = 50 * kMb});
  EXPECT_EQ(Memory().end_levels->rest(), -40'000'000);
}

TEST_F(MemoryLevelsTest, ThoseNextToThePeakAreChosen) {
  for (int i = 0; i < 10; ++i)
    profile_.Level(i, {.rss_bytes = static_cast<uint64_t>(10 + i) * kMb});
  profile_.Peak(3.2, "f:3", format::MemoryKind::kPython, testing::Exactly(kMb));
  EXPECT_EQ(Memory().peak_levels->rss_bytes, 13 * kMb);
  EXPECT_EQ(Memory().end_levels->rss_bytes, 19 * kMb);
}

TEST_F(MemoryLevelsTest, ManyBecomeAFewThatHaveTheHighest) {
  for (int i = 0; i < 5000; ++i)
    profile_.Level(0.002 * i, {.rss_bytes = i == 2222 ? 99 * kMb : kMb});
  const ViewMemory memory = Memory();
  EXPECT_LE(memory.levels.size(), kMostLevels);
  EXPECT_GE(memory.levels.size(), kMostLevels - 1);
  uint64_t most = 0;
  for (const MemoryLevels& level : memory.levels) most = std::max(most, level.rss_bytes);
  EXPECT_EQ(most, 99 * kMb);
}

TEST_F(MemoryLevelsTest, GrowthLeavesOutTheFirstThird) {
  for (int i = 0; i <= 100; ++i)
    profile_.Level(0.1 * i, {.native_bytes = i < 30 ? static_cast<uint64_t>(i) * 10 * kMb
                                                    : (500 + static_cast<uint64_t>(i)) * kMb});
  EXPECT_NEAR(Memory().growth_bytes_per_second, 10e6, 1e3);
}

TEST_F(MemoryLevelsTest, ProcessesAreAddedUpWhileTheyAreThere) {
  for (int i = 0; i <= 10; ++i) profile_.Level(i, {.rss_bytes = 10 * kMb, .pss_bytes = 6 * kMb});
  profile_.Process(200, 2, 5);
  for (int i = 2; i <= 5; ++i) profile_.Level(i, {.rss_bytes = 10 * kMb, .pss_bytes = 5 * kMb});
  const ViewMemory memory = Memory();
  EXPECT_EQ(memory.levels.front().rss_bytes, 10 * kMb);
  EXPECT_EQ(memory.levels.back().rss_bytes, 10 * kMb);
  uint64_t most = 0, most_pss = 0;
  for (const MemoryLevels& level : memory.levels) {
    most = std::max(most, level.rss_bytes);
    most_pss = std::max(most_pss, level.pss_bytes);
  }
  EXPECT_EQ(most, 20 * kMb);
  EXPECT_EQ(most_pss, 11 * kMb);
}

}  // namespace
}  // namespace pyrometer::analyze
