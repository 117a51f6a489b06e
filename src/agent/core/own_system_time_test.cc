// SPDX-License-Identifier: Apache-2.0
#include "agent/core/own_system_time.h"

#include <gtest/gtest.h>

namespace pyrometer::agent {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

TEST(OwnSystemTime, TakesAsManyTicksAsHandlersLasted) {
  OwnSystemTime time{};
  for (int i = 0; i < 4; ++i) time.AddHandler(2 * kMillisecond);
  EXPECT_TRUE(time.TakeTick(4 * kMillisecond));
  EXPECT_TRUE(time.TakeTick(4 * kMillisecond));
  EXPECT_FALSE(time.TakeTick(4 * kMillisecond));
}

TEST(OwnSystemTime, ShortHandlersHaveNoTicks) {
  OwnSystemTime time{};
  for (int i = 0; i < 10'000; ++i) time.AddHandler(30'000);
  EXPECT_FALSE(time.TakeTick(4 * kMillisecond));
}

TEST(OwnSystemTime, WhatIsLongAgoDoesNotCount) {
  OwnSystemTime time{};
  for (int i = 0; i < 1000; ++i) time.AddHandler(2 * kMillisecond);
  int taken = 0;
  while (time.TakeTick(4 * kMillisecond)) ++taken;
  EXPECT_EQ(taken, 5);
}

}  // namespace
}  // namespace pyrometer::agent
