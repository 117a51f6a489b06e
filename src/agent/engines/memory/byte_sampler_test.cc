// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/byte_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pyrometer::agent {
namespace {

constexpr uint64_t kInterval = 64 << 10;
constexpr uint64_t kCertain = 300 << 10;
constexpr uint64_t kCoarsest = 64 << 20;
constexpr ByteSampler::Range kIntervals{kInterval, kCoarsest};
constexpr ByteSampler::Range kCertains{kCertain, kCoarsest};

ByteSampler Started(uint64_t interval, uint64_t seed, uint64_t certain = kCertain) {
  constexpr uint64_t kGapNs = 1'000'000;
  ByteSampler sampler{};
  sampler.Start(interval, certain, seed, 0, kGapNs);
  return sampler;
}

ByteSampler::Decision Request(ByteSampler& sampler, uint64_t bytes) {
  if ((sampler.left -= static_cast<int64_t>(bytes)) >= 0) return {};
  return sampler.Decide(bytes);
}

// What is said of a request.
double Estimate(uint64_t bytes, const ByteSampler::Decision& decision) {
  if (!decision.sampled) return 0;
  return static_cast<double>(decision.marks == 0 ? bytes : decision.weight);
}

// How often `bytes` are asked for in turn with others.
struct Mix {
  uint64_t bytes;
  std::vector<uint64_t> others;
  int times;
};

struct Errors {
  double mean = 0;     // of the estimates, less the truth
  double squares = 0;  // mean
};

// Of the estimates of `mix.bytes`, over many seeds.
Errors ErrorsOf(const Mix& mix) {
  constexpr int kSeeds = 600;
  Errors errors;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ByteSampler sampler = Started(kInterval, seed);
    double error = -static_cast<double>(mix.bytes) * mix.times;
    for (int i = 0; i < mix.times; ++i) {
      error += Estimate(mix.bytes, Request(sampler, mix.bytes));
      for (const uint64_t other : mix.others) Request(sampler, other);
    }
    errors.mean += error / kSeeds;
    errors.squares += error * error / kSeeds;
  }
  EXPECT_NEAR(errors.mean, 0, 4 * std::sqrt(errors.squares / kSeeds)) << mix.bytes;
  return errors;
}

TEST(ByteSampler, TheSumOfAllRequestsIsRightToAPieceInEveryRun) {
  for (const uint64_t bytes : {40u, 4'000u, 20'000u, 64u << 10, 100'000u, 250'000u})
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      ByteSampler sampler = Started(kInterval, seed);
      constexpr int kTimes = 3'000;
      double sum = 0;
      for (int i = 0; i < kTimes; ++i) sum += Estimate(bytes, Request(sampler, bytes));
      ASSERT_NEAR(sum, static_cast<double>(bytes) * kTimes, kInterval) << bytes;
    }
}

// By how much less than with marks that fall anywhere: by the share of the others.
TEST(ByteSampler, PartsScatterByWhatIsBesideThem) {
  for (const Mix& mix : {Mix{64, {640, 576}, 20'000}, Mix{500, {500}, 10'000},
                         Mix{640, {64}, 10'000}, Mix{48, {4'000, 1'000}, 5'000}}) {
    double period = static_cast<double>(mix.bytes);
    for (const uint64_t other : mix.others) period += static_cast<double>(other);
    const double share = static_cast<double>(mix.bytes) / period;
    const double truth = static_cast<double>(mix.bytes) * mix.times;
    const double anywhere = truth * kInterval;
    // The variance of a variance of 600 runs: 6 %.
    EXPECT_NEAR(ErrorsOf(mix).squares / anywhere / (1 - share), 1, 0.25) << share;
  }
}

TEST(ByteSampler, RequestsAsLongAsAPieceAreRightOnAverage) {
  ErrorsOf({60'000, {30'000}, 400});
  ErrorsOf({kInterval, {100, 7}, 400});
  ErrorsOf({200'000, {16}, 200});
}

// Marks at equal distances would meet the same request in every period.
TEST(ByteSampler, ARhythmOfTheProgramDoesNotMatter) {
  const Errors errors =
      ErrorsOf({kInterval / 8, {kInterval / 8, kInterval / 4, kInterval / 2}, 400});
  EXPECT_LT(std::sqrt(errors.squares), 0.5 * kInterval / 8 * 400);
}

TEST(ByteSampler, LargeRequestsAreCertainAndExact) {
  ByteSampler sampler = Started(kInterval, 3);
  for (int i = 0; i < 10'000; ++i) {
    const ByteSampler::Decision decision = Request(sampler, kCertain + static_cast<uint64_t>(i));
    ASSERT_TRUE(decision.sampled);
    ASSERT_EQ(decision.marks, 0u);
  }
}

TEST(ByteSampler, LargeRequestsLeaveTheSmallOnesAlone) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ByteSampler sampler = Started(kInterval, seed);
    constexpr int kTimes = 20'000;
    double small = 0;
    for (int i = 0; i < kTimes; ++i) {
      small += Estimate(100, Request(sampler, 100));
      if (i % 100 == 0) Request(sampler, 1 << 20);
    }
    ASSERT_NEAR(small, 100.0 * kTimes, kInterval);
  }
}

TEST(ByteSampler, AdaptsToTheRateAndStaysUnbiased) {
  constexpr int kSeeds = 200;
  constexpr uint64_t kPeriod = 2'500'000;
  double sum = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ByteSampler sampler = Started(kInterval, seed);
    uint64_t now = 0;
    uint64_t samples = 0;
    // 2.56 GB/s: far more than one sample in a period at the finest interval.
    for (int i = 0; i < 20'000; ++i) {
      now += 10'000;
      const ByteSampler::Decision decision = Request(sampler, 25'600);
      sum += Estimate(25'600, decision);
      if (!decision.sampled) continue;
      ++samples;
      sampler.AdaptInterval(now, kPeriod, kIntervals);
    }
    EXPECT_GT(sampler.interval, 16 * kInterval);
    EXPECT_LT(samples, 4 * now / kPeriod);
    // Then a quiet time: as fine as in the beginning.
    for (int i = 0; i < 20'000 && sampler.interval != kInterval; ++i) {
      now += 100'000'000;
      if (Request(sampler, 25'600).sampled) sampler.AdaptInterval(now, kPeriod, kIntervals);
    }
    EXPECT_EQ(sampler.interval, kInterval);
  }
  const double truth = 20'000 * 25'600.0;
  EXPECT_NEAR(sum / kSeeds / truth, 1, 0.01);
}

// Whatever the small requests do to the interval, large ones are sampled as long
// as they are few, and fewer of them when they are many.
TEST(ByteSampler, LargeRequestsHaveAPaceOfTheirOwn) {
  constexpr uint64_t kPeriod = 500'000;
  ByteSampler sampler = Started(kInterval, 5);
  uint64_t now = 0;
  const auto request = [&](uint64_t bytes) {
    const ByteSampler::Decision decision = Request(sampler, bytes);
    if (decision.sampled && decision.marks == 0)
      sampler.AdaptCertain(now, kPeriod, kCertains);
    else if (decision.sampled)
      sampler.AdaptInterval(now, kPeriod, kIntervals);
    return decision;
  };
  for (int i = 0; i < 20'000; ++i) {
    for (int k = 0; k < 100; ++k) request(50'000);
    now += 1'000'000;
    const ByteSampler::Decision decision = request(1 << 20);
    ASSERT_TRUE(decision.sampled);
    ASSERT_EQ(decision.marks, 0u);
  }
  EXPECT_GT(sampler.interval, 16 * kInterval);
  int exact = 0;
  for (int i = 0; i < 100'000; ++i) {
    now += 1'000;
    const ByteSampler::Decision decision = request(1 << 20);
    exact += decision.sampled && decision.marks == 0 ? 1 : 0;
  }
  EXPECT_LT(exact, 1'000);
}

TEST(ByteSampler, AFullTableMakesItCoarser) {
  ByteSampler sampler = Started(kInterval, 1);
  for (uint64_t i = 1; i <= 100; ++i)
    sampler.AdaptInterval(i * 1'000'000'000, 1, {8 * kInterval, kCoarsest});
  EXPECT_EQ(sampler.interval, 8 * kInterval);
}

}  // namespace
}  // namespace pyrometer::agent
