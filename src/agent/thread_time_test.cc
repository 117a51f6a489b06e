// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_time.h"

#include <gtest/gtest.h>

namespace pyrometer::agent {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(ThreadTime, RunsOnBetweenTicks) {
  ThreadTime time;
  time.Tick(1000 * kMs, 70 * kMs);
  EXPECT_EQ(time.CpuNs(1000 * kMs), 70 * kMs);
  EXPECT_EQ(time.CpuNs(1003 * kMs), 73 * kMs);
}

TEST(ThreadTime, AThreadWithoutTicksWaits) {
  ThreadTime time;
  time.Tick(1000 * kMs, 70 * kMs);
  EXPECT_EQ(time.CpuNs(1500 * kMs), time.CpuNs(2500 * kMs));
  EXPECT_LE(time.CpuNs(1500 * kMs), 75 * kMs);
}

}  // namespace
}  // namespace pyrometer::agent
