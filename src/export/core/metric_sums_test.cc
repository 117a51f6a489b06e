// SPDX-License-Identifier: Apache-2.0
#include "export/core/metric_sums.h"

#include <gmock/gmock.h>

#include <map>
#include <utility>
#include <vector>

#include "export/core/stack_sums.h"
#include "export/core/testing/exchange_fixture.h"

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
    for (const metric::Info& info : metric::Listed(metric::kExported))
      for (const Threads threads : {Threads::kTogether, Threads::kApart})
        EXPECT_EQ(Of(from, info.metric, threads), Expected(from, info.metric, threads))
            << info.name;
    EXPECT_EQ(Of(from, Metric::kCpu, Threads::kApart).size(), 4u);
  });
}

TEST_F(MetricSumsTest, CountOnlyTheSamplesOfTheirMetric) {
  profile_.Add("f:1", kPython, 1, 10).Add("f:1", kSleep, 2, 20);
  Written([](const Exchange& from, std::ostream&) {
    std::vector<std::pair<uint64_t, uint64_t>> sums;
    MetricSums(from, Metric::kCpu, Threads::kTogether)
        .ForEach([&](uint32_t, uint32_t, const MetricSums::Sum& sum) {
          sums.emplace_back(sum.value, sum.samples);
        });
    EXPECT_THAT(sums, ::testing::ElementsAre(::testing::Pair(1'000'000'000u, 10u)));
  });
}

}  // namespace
}  // namespace pyrometer::export_
