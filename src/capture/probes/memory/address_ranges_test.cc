// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/address_ranges.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace pyrometer::capture {
namespace {

TEST(AddressRangesTest, MeetsWhatItHolds) {
  AddressRanges ranges;
  EXPECT_FALSE(ranges.Meets(0, 100));
  ranges.Add(10, 10);
  EXPECT_FALSE(ranges.Meets(0, 10));
  EXPECT_FALSE(ranges.Meets(20, 10));
  EXPECT_TRUE(ranges.Meets(19, 1));
  EXPECT_TRUE(ranges.Meets(0, 11));
  EXPECT_TRUE(ranges.Meets(12, 2));
  EXPECT_TRUE(ranges.Meets(0, 100));
}

TEST(AddressRangesTest, EndsWithTheAddresses) {
  AddressRanges ranges;
  ranges.Add(~uint64_t{0} - 10, ~uint64_t{0});
  EXPECT_TRUE(ranges.Meets(~uint64_t{0} - 5, 2));
  EXPECT_FALSE(ranges.Meets(0, 100));
}

TEST(AddressRangesTest, IsTheSetOfAllThatWasAdded) {
  constexpr size_t kMost = 200;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    AddressRanges ranges;
    std::bitset<kMost> expected;
    for (int i = 0; i < 12; ++i) {
      const size_t begin = random() % (kMost - 20);
      const size_t bytes = 1 + random() % 20;
      ranges.Add(begin, bytes);
      for (size_t at = begin; at < begin + bytes; ++at) expected.set(at);
    }
    for (size_t begin = 0; begin < kMost; ++begin) {
      bool any = false;
      for (size_t bytes = 1; begin + bytes <= kMost; ++bytes) {
        any |= expected.test(begin + bytes - 1);
        ASSERT_EQ(ranges.Meets(begin, bytes), any) << begin << " + " << bytes;
      }
    }
  }
}

}  // namespace
}  // namespace pyrometer::capture
