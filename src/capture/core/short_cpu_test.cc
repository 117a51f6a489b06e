// SPDX-License-Identifier: Apache-2.0
#include "capture/core/short_cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pyrometer::capture {
namespace {

constexpr uint64_t kPeriodNs = 4'000'000;

struct Sums {
  double truth = 0, seen = 0, samples = 0;
};

// Threads of two kinds, as `luck` times as many of them have a sample as should.
void Simulate(double luck, Sums* brief, Sums* longer) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> chance;
  ShortCpu short_cpu;
  for (int i = 0; i < 20'000; ++i) {
    Sums* kind = i % 2 != 0 ? brief : longer;
    const uint64_t cpu_ns = kind == brief ? 100'000 : 900'000;
    kind->truth += static_cast<double>(cpu_ns);
    if (chance(random) >= luck * static_cast<double>(cpu_ns) / kPeriodNs) {
      short_cpu.AddUnsampled(cpu_ns);
    } else {
      kind->seen += static_cast<double>(short_cpu.Weigh(cpu_ns, kPeriodNs));
      ++kind->samples;
    }
  }
}

TEST(ShortCpuTest, TheFirstSampleIsWorthAPeriod) {
  ShortCpu short_cpu;
  EXPECT_NEAR(static_cast<double>(short_cpu.Weigh(1'000'000, kPeriodNs)), kPeriodNs, kPeriodNs / 8);
}

TEST(ShortCpuTest, EachKindHasItsTime) {
  Sums brief, longer;
  Simulate(1, &brief, &longer);
  EXPECT_NEAR(longer.seen / longer.truth, 1, 3 / std::sqrt(longer.samples));
  EXPECT_NEAR(brief.seen / brief.truth, 1, 3 / std::sqrt(brief.samples));
}

TEST(ShortCpuTest, TheSumIsRightHoweverManyHaveASample) {
  for (const double luck : {0.3, 0.7, 1.0, 1.1}) {
    Sums brief, longer;
    Simulate(luck, &brief, &longer);
    EXPECT_NEAR((brief.seen + longer.seen) / (brief.truth + longer.truth), 1, 0.02) << luck;
  }
}

TEST(ShortCpuTest, ASampleIsWorthNoLessThanItsThread) {
  ShortCpu short_cpu;
  for (int i = 0; i < 100; ++i) EXPECT_GE(short_cpu.Weigh(3'000'000, kPeriodNs), 3'000'000u);
}

}  // namespace
}  // namespace pyrometer::capture
