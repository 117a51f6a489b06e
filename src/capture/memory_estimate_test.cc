// SPDX-License-Identifier: Apache-2.0
#include "capture/memory_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pyrometer::capture {
namespace {

TEST(MemoryEstimateTest, CertainSamplesStandForThemselves) {
  EXPECT_EQ(EstimateMemory(5000, 0), (format::MemoryAmount{5000, 1, 1, 0}));
  EXPECT_EQ(EstimateMemory(0, 100), (format::MemoryAmount{0, 1, 1, 0}));
}

TEST(MemoryEstimateTest, SmallRequestsStandForAWholeInterval) {
  const format::MemoryAmount amount = EstimateMemory(64, 512 << 10);
  EXPECT_NEAR(static_cast<double>(amount.bytes), 512 << 10, 64);
  EXPECT_NEAR(static_cast<double>(amount.blocks), 8192, 1);
  EXPECT_NEAR(static_cast<double>(amount.variance_kib2), 512 * 512, 64);
}

TEST(MemoryEstimateTest, LimitsStayBelowWhatAReaderTakes) {
  const format::MemoryAmount amount = EstimateMemory(uint64_t{1} << 50, uint64_t{1} << 40);
  EXPECT_LT(amount.bytes, uint64_t{1} << 51);
  EXPECT_LT(EstimateMemory(1, uint64_t{1} << 40).variance_kib2, uint64_t{1} << 61);
  EXPECT_LT(EstimateMemory(1, uint64_t{1} << 40).blocks, uint64_t{1} << 41);
}

// Bytes are drawn at exponential distances; a request is sampled when one of them
// lies in it. The estimates add up to what was allocated, and scatter as they say.
TEST(MemoryEstimateTest, IsUnbiasedAndKnowsItsError) {
  constexpr uint64_t kInterval = 10'000;
  constexpr int kRuns = 400, kRequests = 2000;
  const uint64_t sizes[] = {24, 500, 9'000, 40'000};
  std::mt19937_64 random(11);
  std::exponential_distribution<> distance(1.0 / kInterval);
  double total = 0, sum = 0, squares = 0, variance = 0;
  for (int run = 0; run < kRuns; ++run) {
    double truth = 0, estimate = 0, countdown = distance(random);
    for (int i = 0; i < kRequests; ++i) {
      const uint64_t bytes = sizes[i % 4];
      truth += static_cast<double>(bytes);
      countdown -= static_cast<double>(bytes);
      if (countdown > 0) continue;
      const format::MemoryAmount amount = EstimateMemory(bytes, kInterval);
      estimate += static_cast<double>(amount.bytes);
      variance += static_cast<double>(amount.variance_kib2) * 1024 * 1024 / kRuns;
      countdown = distance(random);
    }
    total = truth;
    sum += estimate / kRuns;
    squares += (estimate - truth) * (estimate - truth) / kRuns;
  }
  const double standard_error = std::sqrt(variance / kRuns);
  EXPECT_NEAR(sum, total, 3 * standard_error);
  EXPECT_NEAR(squares / variance, 1.0, 0.25);
}

}  // namespace
}  // namespace pyrometer::capture
