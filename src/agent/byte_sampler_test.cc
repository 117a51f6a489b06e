// SPDX-License-Identifier: Apache-2.0
#include "agent/byte_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pyrometer::agent {
namespace {

constexpr uint64_t kGap = 1'000'000;

ByteSampler Started(uint64_t interval, uint64_t seed) {
  ByteSampler sampler{};
  sampler.Start(interval, seed, 0, kGap);
  return sampler;
}

ByteSampler::Decision Request(ByteSampler& sampler, uint64_t bytes) {
  if ((sampler.left -= static_cast<int64_t>(bytes)) >= 0) return {};
  return sampler.Decide(bytes);
}

// What a sample stands for, and the variance of that.
struct Estimate {
  double bytes = 0;
  double variance = 0;
  void Add(uint64_t size, const ByteSampler::Decision& decision) {
    if (!decision.sampled) return;
    const auto n = static_cast<double>(size);
    const double p =
        decision.interval == 0 ? 1 : -std::expm1(-n / static_cast<double>(decision.interval));
    bytes += n / p;
    variance += n * n * (1 - p) / (p * p);
  }
};

TEST(ExponentialOf, IsTheNegativeLogarithm) {
  for (const double u : {0x1p-53, 1e-9, 0.01, 0.25, 0.3, 0.5, 0.75, 0.999, 1.0}) {
    const auto bits = static_cast<uint64_t>(u * 0x1p53) - 1;
    const double exact = -std::log(static_cast<double>(bits + 1) * 0x1p-53);
    EXPECT_NEAR(ExponentialOf(bits), exact, 1e-8) << u;
  }
}

TEST(ExponentialOf, HasMeanAndVarianceOne) {
  constexpr int kDraws = 200'000;
  ByteSampler sampler = Started(1 << 20, 7);
  uint64_t state = 99;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double x = ExponentialOf(state >> 11);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 1, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws - mean * mean, 1, 4 * std::sqrt(8.0 / kDraws));
  EXPECT_TRUE(sampler.drawn());
}

// For many seeds: the mean of the estimates is the truth, and they scatter as
// their own variance says.
TEST(ByteSampler, EstimatesAreUnbiasedAndKnowTheirError) {
  constexpr uint64_t kInterval = 64 << 10;
  struct Case {
    std::vector<uint64_t> sizes;  // requested in turn
    int requests;
  };
  for (const Case& one : {Case{{40}, 100'000}, Case{{64, 4000, 100'000}, 300}, Case{{20'000}, 500},
                          Case{{250'000, 16}, 200}}) {
    constexpr int kSeeds = 400;
    double truth = 0;
    for (int i = 0; i < one.requests; ++i)
      truth += static_cast<double>(one.sizes[static_cast<size_t>(i) % one.sizes.size()]);
    double sum = 0;
    double squares = 0;
    double variance = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      ByteSampler sampler = Started(kInterval, seed);
      Estimate estimate;
      for (int i = 0; i < one.requests; ++i) {
        const uint64_t size = one.sizes[static_cast<size_t>(i) % one.sizes.size()];
        estimate.Add(size, Request(sampler, size));
      }
      sum += estimate.bytes;
      squares += (estimate.bytes - truth) * (estimate.bytes - truth);
      variance += estimate.variance;
    }
    const double scatter = squares / kSeeds;
    EXPECT_NEAR(sum / kSeeds, truth, 4 * std::sqrt(scatter / kSeeds)) << one.sizes.front();
    // The variance of a variance of 400 draws: 7 %.
    EXPECT_NEAR(variance / kSeeds / scatter, 1, 0.3) << one.sizes.front();
  }
}

TEST(ByteSampler, LargeRequestsAreCertainAndExact) {
  ByteSampler sampler = Started(64 << 10, 3);
  const uint64_t large = sampler.certain;
  for (int i = 0; i < 10'000; ++i) {
    const ByteSampler::Decision decision = Request(sampler, large + static_cast<uint64_t>(i));
    ASSERT_TRUE(decision.sampled);
    ASSERT_EQ(decision.interval, 0u);
  }
}

TEST(ByteSampler, LargeRequestsLeaveTheSmallOnesAlone) {
  constexpr int kSeeds = 300;
  constexpr int kRequests = 20'000;
  double sum = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ByteSampler sampler = Started(64 << 10, seed);
    Estimate small;
    for (int i = 0; i < kRequests; ++i) {
      small.Add(100, Request(sampler, 100));
      if (i % 100 == 0) Request(sampler, 1 << 20);
    }
    sum += small.bytes;
  }
  const double truth = 100.0 * kRequests;
  const double error = std::sqrt(truth * (64 << 10));
  EXPECT_NEAR(sum / kSeeds, truth, 4 * error / std::sqrt(kSeeds));
}

TEST(ByteSampler, AdaptsToTheRateAndStaysUnbiased) {
  constexpr int kSeeds = 200;
  constexpr uint64_t kPeriod = 2'500'000;
  double sum = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ByteSampler sampler = Started(ByteSampler::kFinest, seed);
    Estimate estimate;
    uint64_t now = 0;
    uint64_t samples = 0;
    // 2.56 GB/s: far more than one sample in a period at the finest interval.
    for (int i = 0; i < 20'000; ++i) {
      now += 10'000;
      const ByteSampler::Decision decision = Request(sampler, 25'600);
      estimate.Add(25'600, decision);
      if (!decision.sampled) continue;
      ++samples;
      sampler.Adapt(decision, now, kPeriod, ByteSampler::kFinest);
    }
    sum += estimate.bytes;
    EXPECT_GT(sampler.interval, 16 * ByteSampler::kFinest);
    EXPECT_LT(samples, 4 * now / kPeriod);
    // Then a quiet time: as fine as in the beginning.
    for (int i = 0; i < 20'000 && sampler.interval != ByteSampler::kFinest; ++i) {
      now += 100'000'000;
      if (const auto decision = Request(sampler, 25'600); decision.sampled)
        sampler.Adapt(decision, now, kPeriod, ByteSampler::kFinest);
    }
    EXPECT_EQ(sampler.interval, ByteSampler::kFinest);
  }
  const double truth = 20'000 * 25'600.0;
  EXPECT_NEAR(sum / kSeeds / truth, 1, 0.03);
}

// Whatever the small requests do to the interval, large ones are sampled as long
// as they are few, and fewer of them when they are many.
TEST(ByteSampler, LargeRequestsHaveAPaceOfTheirOwn) {
  constexpr uint64_t kPeriod = 500'000;
  ByteSampler sampler = Started(ByteSampler::kFinest, 5);
  uint64_t now = 0;
  const auto request = [&](uint64_t bytes) {
    const ByteSampler::Decision decision = Request(sampler, bytes);
    if (decision.sampled) sampler.Adapt(decision, now, kPeriod, ByteSampler::kFinest);
    return decision;
  };
  for (int i = 0; i < 20'000; ++i) {
    for (int k = 0; k < 100; ++k) request(50'000);
    now += 1'000'000;
    const ByteSampler::Decision decision = request(1 << 20);
    ASSERT_TRUE(decision.sampled);
    ASSERT_EQ(decision.interval, 0u);
  }
  EXPECT_GT(sampler.interval, 16 * ByteSampler::kFinest);
  int exact = 0;
  for (int i = 0; i < 100'000; ++i) {
    now += 1'000;
    const ByteSampler::Decision decision = request(1 << 20);
    exact += decision.sampled && decision.interval == 0 ? 1 : 0;
  }
  EXPECT_LT(exact, 1'000);
}

TEST(ByteSampler, AFullTableMakesItCoarser) {
  ByteSampler sampler = Started(ByteSampler::kFinest, 1);
  uint64_t now = 0;
  for (int i = 0; i < 100; ++i)
    sampler.Adapt({true, sampler.interval}, now += 1'000'000'000, 1, 8 * ByteSampler::kFinest);
  EXPECT_EQ(sampler.interval, 8 * ByteSampler::kFinest);
}

}  // namespace
}  // namespace pyrometer::agent
