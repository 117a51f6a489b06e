// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/mapped_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pyrometer::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MappedRangesTest : public ::testing::Test {
 protected:
  // A mapping that stands for twice its bytes, in three blocks.
  void Map(uint64_t address, uint64_t bytes) {
    LiveBlock block;
    block.bytes = bytes;
    block.amount = {2 * bytes, 3, 1, 10 * bytes};
    ranges_.Add(address, block);
  }
  // What was taken out, as bytes/blocks.
  std::vector<std::string> Unmap(uint64_t address, uint64_t bytes, bool may_split = true) {
    std::vector<std::string> texts;
    for (const LiveBlock& part : ranges_.Remove(address, bytes, may_split))
      texts.push_back(Text(part));
    return texts;
  }
  // What is there, as address+size=bytes/blocks.
  std::vector<std::string> Left() {
    std::vector<std::string> texts;
    for (const auto& [address, block] : ranges_.ranges())
      texts.push_back(std::to_string(address) + "+" + std::to_string(block.bytes) + "=" +
                      Text(block));
    return texts;
  }

  MappedRanges ranges_;

 private:
  static std::string Text(const LiveBlock& block) {
    EXPECT_EQ(block.amount.variance_kib2, 5 * block.amount.bytes);
    return std::to_string(block.amount.bytes) + "/" + std::to_string(block.amount.blocks);
  }
};

TEST_F(MappedRangesTest, AWholeMappingGoes) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(1000, 100), ElementsAre("200/3"));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(MappedRangesTest, TheRestOfAHeadStays) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(900, 110), ElementsAre("20/0"));
  EXPECT_THAT(Left(), ElementsAre("1010+90=180/3"));
}

TEST_F(MappedRangesTest, TheRestOfATailStays) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(1090, 50), ElementsAre("20/0"));
  EXPECT_THAT(Left(), ElementsAre("1000+90=180/3"));
}

TEST_F(MappedRangesTest, AHoleLeavesTwo) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(1020, 30), ElementsAre("60/0"));
  EXPECT_THAT(Left(), ElementsAre("1000+20=40/3", "1050+50=100/0"));
  EXPECT_THAT(Unmap(1000, 100), ElementsAre("40/3", "100/0"));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(MappedRangesTest, WithoutRoomForTwoTheSecondGoes) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(1020, 30, false), ElementsAre("160/0"));
  EXPECT_THAT(Left(), ElementsAre("1000+20=40/3"));
}

TEST_F(MappedRangesTest, OneRangeMeetsMany) {
  Map(1000, 100);
  Map(1100, 100);
  Map(1300, 100);
  Map(2000, 100);
  EXPECT_THAT(Unmap(1050, 300), ElementsAre("100/0", "200/3", "100/0"));
  EXPECT_THAT(Left(), ElementsAre("1000+50=100/3", "1350+50=100/3", "2000+100=200/3"));
}

TEST_F(MappedRangesTest, WhatIsNotThereIsNot) {
  Map(1000, 100);
  EXPECT_THAT(Unmap(900, 100), IsEmpty());
  EXPECT_THAT(Unmap(1100, 100), IsEmpty());
  EXPECT_THAT(Unmap(1050, 0), IsEmpty());
  EXPECT_THAT(Unmap(5000, ~uint64_t{0}), IsEmpty());
  EXPECT_THAT(Left(), ElementsAre("1000+100=200/3"));
}

}  // namespace
}  // namespace pyrometer::capture
