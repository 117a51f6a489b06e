// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/cpu/tick_pace.h"

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
  TickPace pace(options, tick_ns);
  pace.Begin(0, 0);
  Seen seen;
  Tick last = Tick::kSample;
  for (uint64_t n = 1; n * tick_ns <= end_ns; ++n) {
    const uint64_t cpu_ns = n * tick_ns + (n * 7919 % 11) * tick_ns / 100;
    const Tick tick = pace.At(cpu_ns);
    if (tick == Tick::kSample && cpu_ns > begin_ns) {
      ++seen.samples;
      if (last == Tick::kNone) ++seen.unprepared;
    }
    last = tick;
  }
  return seen;
}

// Threads that live for `life_ns`, begun anywhere between two ticks of a kernel: what their
// samples stand for, in all, for each of them.
uint64_t ShortThreadsWeigh(const base::RecordOptions& options, uint64_t tick_ns, uint64_t life_ns) {
  constexpr uint64_t kThreads = 16'000;
  constexpr uint64_t kPlaces = 80;
  uint64_t hit = 0;
  for (uint64_t i = 0; i < kThreads; ++i) {
    TickPace pace(options, tick_ns);
    const uint64_t first_ns = pace.Begin(0, i / kPlaces);
    bool sampled = false;
    for (uint64_t cpu_ns = tick_ns * (i % kPlaces) / kPlaces; cpu_ns < life_ns; cpu_ns += tick_ns)
      if (cpu_ns + 1 >= first_ns) sampled = pace.At(cpu_ns) == Tick::kSample || sampled;
    hit += sampled;
  }
  return hit * TickPace(options, tick_ns).FirstSampleNs() / kThreads;
}

TEST(TickPace, ThreadsShorterThanAPeriodWeighAsMuchAsTheyTake) {
  for (const uint64_t tick_ns : {1 * kMs, 4 * kMs, 10 * kMs})
    for (const uint32_t hz : {0u, 50u, 250u})
      for (const uint64_t life_ns : {kMs / 2, 1 * kMs, 3 * kMs})
        EXPECT_EQ(ShortThreadsWeigh(Rate(hz), tick_ns, life_ns), life_ns) << tick_ns << " " << hz;
  EXPECT_EQ(ShortThreadsWeigh(Rate(50), 4 * kMs, 10 * kMs), 10 * kMs);
  EXPECT_EQ(ShortThreadsWeigh(Rate(50), 4 * kMs, 40 * kMs), 20 * kMs);
}

// A thread that shares its CPU is met by ticks at any distance, and each must have its signal:
// what is asked of the timer is little beside a tick.
TEST(TickPace, EachTickCountsOfAThreadThatSharesItsCpu) {
  EXPECT_EQ(TickPace(Rate(0), 4 * kMs).TimerNs(), 250'000u);
  EXPECT_EQ(TickPace(Rate(10), 4 * kMs).TimerNs(), 250'000u);
  EXPECT_EQ(TickPace(Rate(0), 10 * kMs).TimerNs(), 625'000u);
}

TEST(TickPace, FastTicksHaveASignalOnlyWhereOneIsWanted) {
  EXPECT_EQ(TickPace(Rate(0), 1 * kMs).TimerNs(), 4 * kMs);
  EXPECT_EQ(TickPace(Rate(10), 1 * kMs).TimerNs(), 4 * kMs);
  EXPECT_EQ(TickPace(Rate(1000), 1 * kMs).TimerNs(), 62'500u);
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

}  // namespace
}  // namespace pyrometer::agent
