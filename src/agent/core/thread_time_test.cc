// SPDX-License-Identifier: Apache-2.0
#include "agent/core/thread_time.h"

#include <gtest/gtest.h>

namespace pyrometer::agent {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(ThreadTime, RunsOnBetweenTicks) {
  ThreadTime time;
  time.Set(1000 * kMs, 70 * kMs);
  EXPECT_EQ(time.CpuNs(1000 * kMs), 70 * kMs);
  EXPECT_EQ(time.CpuNs(1003 * kMs), 73 * kMs);
}

TEST(ThreadTime, AThreadWithoutTicksWaits) {
  ThreadTime time;
  time.Set(1000 * kMs, 70 * kMs);
  EXPECT_EQ(time.CpuNs(1020 * kMs), time.CpuNs(1090 * kMs));
  EXPECT_LE(time.CpuNs(1090 * kMs), 75 * kMs);
  EXPECT_FALSE(time.IsOld(1090 * kMs));
  EXPECT_TRUE(time.IsOld(1110 * kMs));
}

}  // namespace
}  // namespace pyrometer::agent
