// SPDX-License-Identifier: Apache-2.0
#include "agent/tick_pace.h"

#include <gtest/gtest.h>

namespace pyrometer::agent {
namespace {

using Tick = TickPace::Tick;

constexpr uint64_t kMs = 1'000'000;

base::RecordOptions Rate(uint32_t hz) {
  base::RecordOptions options;
  options.rate_hz = hz;
  return options;
}

struct Seen {
  int samples = 0;
  int unprepared = 0;  // samples whose tick before was not said to be that
};

// Ticks of `tick_ns` until `end_ns`, each a bit early or late as real ones are.
Seen Simulate(const base::RecordOptions& options, uint64_t tick_ns, uint64_t begin_ns,
              uint64_t end_ns) {
  TickPace pace;
  pace.Begin(0, 0, options);
  Seen seen;
  Tick last = Tick::kSample;
  for (uint64_t n = 1; n * tick_ns <= end_ns; ++n) {
    const uint64_t cpu_ns = n * tick_ns + (n * 7919 % 11) * tick_ns / 100;
    const Tick tick = pace.At(cpu_ns, options);
    if (tick == Tick::kSample && cpu_ns > begin_ns) {
      ++seen.samples;
      if (last == Tick::kNone) ++seen.unprepared;
    }
    last = tick;
  }
  return seen;
}

// Threads that live for `life_ns`, begun anywhere between two ticks: how many of
// 10,000 are hit at all.
int ShortThreadsHit(const base::RecordOptions& options, uint64_t life_ns) {
  int hit = 0;
  for (uint64_t i = 0; i < 10'000; ++i) {
    TickPace pace;
    pace.Begin(0, i / 100, options);
    bool sampled = false;
    for (uint64_t cpu_ns = 4 * kMs * (i % 100) / 100; cpu_ns < life_ns; cpu_ns += 4 * kMs)
      sampled = pace.At(cpu_ns, options) == Tick::kSample || sampled;
    hit += sampled;
  }
  return hit;
}

TEST(TickPace, ShortThreadsAreHitByTheirShareOfAPeriod) {
  EXPECT_EQ(ShortThreadsHit(Rate(0), 1 * kMs), 2500);
  EXPECT_EQ(ShortThreadsHit(Rate(0), 4 * kMs), 10'000);
  EXPECT_EQ(ShortThreadsHit(Rate(50), 1 * kMs), 500);
  EXPECT_EQ(ShortThreadsHit(Rate(50), 4 * kMs), 2000);
  EXPECT_EQ(ShortThreadsHit(Rate(50), 10 * kMs), 5000);
  EXPECT_EQ(ShortThreadsHit(Rate(50), 20 * kMs), 10'000);
}

TEST(TickPace, TheDefaultTakesEveryTickForASecondAndThenEveryOther) {
  EXPECT_EQ(Simulate(base::RecordOptions(), 4 * kMs, 0, 1000 * kMs).samples, 250);
  EXPECT_NEAR(Simulate(base::RecordOptions(), 4 * kMs, 1000 * kMs, 11'000 * kMs).samples, 1250, 2);
}

TEST(TickPace, RatesBelowTheTickAreKept) {
  for (const uint32_t hz : {1u, 10u, 62u, 125u, 250u})
    EXPECT_NEAR(Simulate(Rate(hz), 4 * kMs, 0, 20'000 * kMs).samples, 20 * hz, 20 * hz / 50 + 1)
        << hz;
}

TEST(TickPace, ATickBeforeASampleIsSaidToBeOne) {
  for (const uint32_t hz : {1u, 10u, 62u, 100u, 125u})
    EXPECT_EQ(Simulate(Rate(hz), 4 * kMs, 0, 20'000 * kMs).unprepared, 0) << hz;
}

TEST(TickPace, EachTickOfASlowKernelIsASample) {
  EXPECT_EQ(Simulate(Rate(250), 10 * kMs, 0, 10'000 * kMs).samples, 1000);
  EXPECT_EQ(Simulate(base::RecordOptions(), 10 * kMs, 0, 10'000 * kMs).samples, 1000);
}

TEST(TickPace, WithPerfEveryTickIsLookedAt) {
  base::RecordOptions options = Rate(10'000);
  options.clock = base::Clock::kPerf;
  EXPECT_EQ(Simulate(options, 4 * kMs, 0, 10'000 * kMs).samples, 2500);
}

TEST(TickPace, TheTimerIsAskedForALittleLessThanATick) {
  EXPECT_EQ(TickPace::TimerNs(Rate(0)), 3'600'000u);
  EXPECT_EQ(TickPace::TimerNs(Rate(10)), 3'600'000u);
  EXPECT_EQ(TickPace::TimerNs(Rate(1000)), 900'000u);
}

}  // namespace
}  // namespace pyrometer::agent
