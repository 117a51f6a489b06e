// SPDX-License-Identifier: Apache-2.0
#include "metric/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pyrometer::metric {
namespace {

using ::testing::Optional;

TEST(TableTest, NoNameMeansTwoThingsInOneList) {
  Table table;
  ASSERT_TRUE(table.Declare("cache_hits", "hits", ""));
  for (const Use use : {kRanked, kExported}) {
    EXPECT_FALSE(table.Listed(use).empty());
    for (const Info& info : table.Listed(use))
      EXPECT_THAT(table.Find(info.name, use), Optional(info.metric)) << info.name;
  }
}

TEST(TableTest, EarlierNamesAreTaken) {
  const Table table;
  EXPECT_THAT(table.Find("memory", kRanked), Optional(Metric::kLiveAtPeak));
  EXPECT_THAT(table.Find("copy", kRanked), Optional(Metric::kCopied));
  EXPECT_THAT(table.Find("left_at_end", kExported), Optional(Metric::kLiveAtExit));
  EXPECT_THAT(table.Find("run_wait", kExported), Optional(Metric::kRunQueue));
  EXPECT_EQ(table.Find("memory", kExported), std::nullopt);
}

TEST(TableTest, PartsOfNamesAreNoNames) {
  const Table table;
  for (const char* name : {"", " ", "run", "left_at_end", "live", "Time", "cache_hits"})
    EXPECT_EQ(table.Find(name, kRanked), std::nullopt) << name;
}

TEST(TableTest, WhatIsDeclaredHasItsOwnNumberAndUnit) {
  Table table;
  const auto hits = table.Declare("cache_hits", "hits", "Cache hits");
  const auto gpu = table.Declare("gpu", "nanoseconds", "");
  ASSERT_TRUE(hits && gpu);
  EXPECT_TRUE(IsDeclared(*hits));
  EXPECT_EQ(table[*hits].title, "Cache hits");
  EXPECT_EQ(UnitName(table[*hits]), "hits");
  EXPECT_EQ(table[*gpu].title, "gpu");
  EXPECT_EQ(table[*gpu].unit, Unit::kNanoseconds);
  EXPECT_EQ(PartsOf(*gpu), Bit(*gpu));
  EXPECT_FALSE(IsMemory(*gpu));
  EXPECT_EQ(table.Declare("gpu", "bytes", "again"), gpu);
  EXPECT_EQ(table[*gpu].title, "gpu");
}

TEST(TableTest, KnownNamesCannotBeDeclared) {
  Table table;
  for (const char* name : {"", "cpu", "copied", "copy", "left_at_end"})
    EXPECT_EQ(table.Declare(name, "count", ""), std::nullopt) << name;
}

TEST(TableTest, RoomIsBounded) {
  Table table;
  for (size_t i = 0; i < kMaxDeclared; ++i)
    ASSERT_TRUE(table.Declare("m" + std::to_string(i), "", ""));
  EXPECT_EQ(table.Declare("one_more", "", ""), std::nullopt);
  EXPECT_TRUE(table.Declare("m7", "", ""));
}

TEST(TableTest, CopiesOutliveTheOriginal) {
  auto original = std::make_unique<Table>();
  const auto hits = original->Declare("cache_hits", "hits", "");
  const Table copy = *original;
  original.reset();
  EXPECT_EQ(copy[*hits].name, "cache_hits");
}

}  // namespace
}  // namespace pyrometer::metric
