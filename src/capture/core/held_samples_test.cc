// SPDX-License-Identifier: Apache-2.0
#include "capture/core/held_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace pyrometer::capture {
namespace {

using ::testing::ElementsAre;

format::Sample Weighing(uint64_t ns) {
  format::Sample sample{};
  sample.weight_ns = ns;
  return sample;
}

std::vector<uint64_t> Weights(HeldSamples& held) {
  std::vector<uint64_t> weights;
  for (const format::Sample& sample : held.TakeAll()) weights.push_back(sample.weight_ns);
  return weights;
}

TEST(HeldSamplesTest, TheOldestGoesWhenThereAreTooMany) {
  HeldSamples held;
  for (uint64_t i = 0; i < HeldSamples::kMost; ++i) EXPECT_FALSE(held.Add(Weighing(i)));
  const auto oldest = held.Add(Weighing(8));
  ASSERT_TRUE(oldest);
  EXPECT_EQ(oldest->weight_ns, 0u);
  EXPECT_EQ(held.newest().weight_ns, 8u);
  EXPECT_EQ(held.size(), HeldSamples::kMost);
}

TEST(HeldSamplesTest, AllOfItIsSharedOutToTheNanosecond) {
  HeldSamples held;
  for (const uint64_t ns : {1, 1, 1}) held.Add(Weighing(ns));
  held.Spread(7);
  EXPECT_THAT(Weights(held), ElementsAre(3, 4, 3));
  EXPECT_TRUE(held.empty());
}

TEST(HeldSamplesTest, LessIsSharedOutAsWellButNobodyOwes) {
  HeldSamples held;
  for (const uint64_t ns : {30, 10}) held.Add(Weighing(ns));
  held.Spread(-20);
  EXPECT_THAT(Weights(held), ElementsAre(15, 5));
  held.Add(Weighing(5));
  held.Spread(-6);
  EXPECT_THAT(Weights(held), ElementsAre(0));
  held.Spread(3);  // nobody is there to have it
  EXPECT_TRUE(held.empty());
}

// Threads with a short phase at either end: what each phase has is what it took, as far as a few
// samples can tell.
TEST(HeldSamplesTest, ShortThreadsHaveTheirFirstAndLastPhase) {
  constexpr double kPeriod = 4e6;
  std::mt19937 random(17);
  std::uniform_real_distribution<double> phase(0, kPeriod);
  double seen[3] = {}, truth[3] = {};
  for (int thread = 0; thread < 20'000; ++thread) {
    const double ends[3] = {1e6, 1e6 + 14e6 + phase(random), 18e6 + kPeriod};
    truth[0] += ends[0];
    truth[1] += ends[1] - ends[0];
    truth[2] += ends[2] - ends[1];
    HeldSamples held;
    std::vector<int> phases;
    for (double at = phase(random); at < ends[2]; at += kPeriod) {
      held.Add(Weighing(static_cast<uint64_t>(kPeriod)));
      phases.push_back(at < ends[0] ? 0 : at < ends[1] ? 1 : 2);
    }
    held.Spread(static_cast<int64_t>(ends[2] - kPeriod * static_cast<double>(phases.size())));
    const std::vector<uint64_t> weights = Weights(held);
    for (size_t i = 0; i < weights.size(); ++i) seen[phases[i]] += static_cast<double>(weights[i]);
  }
  EXPECT_NEAR(seen[0] / truth[0], 1, 0.12);
  EXPECT_NEAR(seen[1] / truth[1], 1, 0.03);
  EXPECT_NEAR(seen[2] / truth[2], 1, 0.12);
}

}  // namespace
}  // namespace pyrometer::capture
