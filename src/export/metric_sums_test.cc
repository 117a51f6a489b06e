// SPDX-License-Identifier: Apache-2.0
#include "export/metric_sums.h"

#include <map>
#include <utility>

#include "export/stack_sums.h"
#include "export/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using Threads = MetricSums::Threads;
using Sums = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;  // by node and thread

class MetricSumsTest : public testing::ExchangeTest {
 protected:
  static Sums Of(const Exchange& from, Metric metric, Threads threads) {
    Sums sums;
    MetricSums(from, metric, threads)
        .ForEach([&](uint32_t node, uint32_t thread, const MetricSums::Sum& sum) {
          sums[{node, thread}] += sum.value;
        });
    return sums;
  }

  // The same by way of all metrics at once.
  static Sums Expected(const Exchange& from, Metric metric, Threads threads) {
    Sums expected;
    StackSums all(from);
    all.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
      for (const StackSums::Row& row : rows) {
        const uint32_t thread = threads == Threads::kApart ? all.context(row.context).thread : 0;
        if (row.values[metric] != 0) expected[{node, thread}] += row.values[metric];
      }
    });
    return expected;
  }
};

TEST_F(MetricSumsTest, AreThoseOfStackSums) {
  AddExample();
  profile_.Add("main:10 > f:3", kPython, 16, 160).Add("main:10 > f:3", kSleep, 32, 320);
  Written([](const Exchange& from, std::ostream&) {
    for (size_t i = 0; i < kMetricCount; ++i)
      for (const Threads threads : {Threads::kTogether, Threads::kApart})
        EXPECT_EQ(Of(from, Metric(i), threads), Expected(from, Metric(i), threads))
            << MetricName(Metric(i));
    EXPECT_EQ(Of(from, Metric::kCpu, Threads::kApart).size(), 4u);
  });
}

TEST_F(MetricSumsTest, CountOnlyTheSamplesOfTheirMetric) {
  profile_.Add("f:1", kPython, 1, 10).Add("f:1", kSleep, 2, 20);
  Written([](const Exchange& from, std::ostream&) {
    MetricSums(from, Metric::kCpu, Threads::kTogether)
        .ForEach([](uint32_t, uint32_t, const MetricSums::Sum& sum) {
          EXPECT_EQ(sum.value, 1'000'000'000u);
          EXPECT_EQ(sum.samples, 10u);
        });
  });
}

}  // namespace
}  // namespace pyrometer::export_
