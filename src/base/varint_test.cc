// SPDX-License-Identifier: Apache-2.0
#include "base/varint.h"

#include <gtest/gtest.h>

#include <limits>

namespace pyrometer::base {
namespace {

uint64_t RoundTrip(uint64_t v) {
  uint8_t bytes[kMaxVarintBytes];
  const size_t n = PutVarint(bytes, v);
  uint64_t back = ~v;
  EXPECT_EQ(GetVarint(bytes, bytes + n, &back), n);
  return back;
}

TEST(Varint, RoundTripsEveryBitLength) {
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t v = uint64_t{1} << bit;
    EXPECT_EQ(RoundTrip(v), v);
    EXPECT_EQ(RoundTrip(v - 1), v - 1);
  }
  EXPECT_EQ(RoundTrip(std::numeric_limits<uint64_t>::max()), std::numeric_limits<uint64_t>::max());
}

TEST(Varint, CutOffIsAnError) {
  uint8_t bytes[kMaxVarintBytes];
  const size_t n = PutVarint(bytes, std::numeric_limits<uint64_t>::max());
  uint64_t v;
  for (size_t cut = 0; cut < n; ++cut) EXPECT_EQ(GetVarint(bytes, bytes + cut, &v), 0u);
}

TEST(Varint, MoreThan64BitsIsAnError) {
  const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  uint64_t v;
  EXPECT_EQ(GetVarint(bytes, bytes + sizeof bytes, &v), 0u);
}

TEST(Varint, ZigZagKeepsSmallMagnitudesSmall) {
  EXPECT_EQ(ZigZag(0), 0u);
  EXPECT_EQ(ZigZag(-1), 1u);
  EXPECT_EQ(ZigZag(1), 2u);
  for (int64_t v :
       {std::numeric_limits<int64_t>::min(), int64_t{-7}, std::numeric_limits<int64_t>::max()})
    EXPECT_EQ(UnZigZag(ZigZag(v)), v);
}

}  // namespace
}  // namespace pyrometer::base
