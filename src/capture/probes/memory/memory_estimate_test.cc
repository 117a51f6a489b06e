// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace pyrometer::capture {
namespace {

constexpr uint64_t kPiece = 10'000;

TEST(MemoryEstimateTest, CertainSamplesStandForThemselves) {
  EXPECT_EQ(EstimateMemory(5000, 0, 0), (format::MemoryAmount{5000, 1, 1, 0}));
  EXPECT_EQ(EstimateMemory(0, 100, 1), (format::MemoryAmount{0, 1, 1, 0}));
}

TEST(MemoryEstimateTest, SmallRequestsStandForAWholePiece) {
  const format::MemoryAmount amount = EstimateMemory(64, 512 << 10, 1);
  EXPECT_EQ(amount.bytes, 512u << 10);
  EXPECT_EQ(amount.blocks, 8192u);
  EXPECT_NEAR(static_cast<double>(amount.variance_kib2), 512 * 512, 64);
}

TEST(MemoryEstimateTest, ABlockIsOneAtLeast) {
  EXPECT_EQ(EstimateMemory(15'000, kPiece, 1).blocks, 1u);
}

TEST(MemoryEstimateTest, LimitsStayBelowWhatAReaderTakes) {
  constexpr uint64_t kWeight = uint64_t{1} << 40;
  for (const uint32_t marks : {1u, 1'000'000u}) {
    const format::MemoryAmount amount = EstimateMemory(1, kWeight, marks);
    EXPECT_LE(amount.variance_kib2, uint64_t{1} << 60);
    EXPECT_LE(amount.blocks, uint64_t{1} << 41);
  }
}

// One block somewhere between small ones. Pieces are aligned to multiples of their size.
TEST(MemoryEstimateTest, IsUnbiasedAndKnowsItsError) {
  constexpr int kRuns = 400'000;
  std::mt19937_64 random(11);
  std::uniform_int_distribution<uint64_t> anywhere(0, kPiece - 1);
  for (const uint64_t bytes : {24u, 500u, 5'000u, 9'000u, 10'000u, 17'000u, 40'000u}) {
    double sum = 0, squares = 0, variance = 0;
    for (int run = 0; run < kRuns; ++run) {
      const uint64_t begin = anywhere(random);
      uint32_t marks = 0;
      for (uint64_t piece = 0; piece < begin + bytes; piece += kPiece) {
        const uint64_t mark = piece + anywhere(random);
        if (mark >= begin && mark < begin + bytes) ++marks;
      }
      if (marks != 0) {
        const format::MemoryAmount amount = EstimateMemory(bytes, marks * kPiece, marks);
        sum += static_cast<double>(amount.bytes) / kRuns;
        variance += static_cast<double>(amount.variance_kib2) * 1024 * 1024 / kRuns;
      }
      const double error = static_cast<double>(marks * kPiece) - static_cast<double>(bytes);
      squares += error * error / kRuns;
    }
    EXPECT_NEAR(sum, static_cast<double>(bytes), 4 * std::sqrt(squares / kRuns));
    EXPECT_NEAR(variance / squares, 1, 0.15) << bytes;
  }
}

}  // namespace
}  // namespace pyrometer::capture
