// SPDX-License-Identifier: Apache-2.0
#include "metric/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

namespace pyrometer::metric {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct Number {
  int value = 0;
  void Add(const Number& other) { value += other.value; }
};

std::vector<std::pair<Metric, int>> Content(const Values<Number>& values) {
  std::vector<std::pair<Metric, int>> content;
  values.ForEach([&](Metric metric, const Number& n) { content.emplace_back(metric, n.value); });
  return content;
}

TEST(ValuesTest, NothingIsThereAtFirst) {
  const Values<Number> values;
  EXPECT_TRUE(values.empty());
  EXPECT_FALSE(values.Has(Metric::kCpu));
  EXPECT_EQ(values[Metric::kCpu].value, 0);
}

TEST(ValuesTest, KeepsTheOrderOfTheMetrics) {
  Values<Number> values;
  values.At(Metric::kWait).value = 3;
  values.At(Metric::kPython).value = 1;
  values.At(Metric::kGc).value = 2;
  EXPECT_THAT(Content(values),
              ElementsAre(Pair(Metric::kPython, 1), Pair(Metric::kGc, 2), Pair(Metric::kWait, 3)));
}

TEST(ValuesTest, WhatIsClearedBeginsAtNothing) {
  Values<Number> values;
  values.At(Metric::kPython).value = 1;
  values.Clear();
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.At(Metric::kPython).value, 0);
}

TEST(ValuesTest, CopiesAreApart) {
  Values<Number> values;
  values.At(Metric::kCpu).value = 1;
  Values<Number> copy = values;
  copy.At(Metric::kCpu).value = 2;
  copy.At(Metric::kGc).value = 4;
  EXPECT_THAT(Content(values), ElementsAre(Pair(Metric::kCpu, 1)));
  values = std::move(copy);
  EXPECT_THAT(Content(values), ElementsAre(Pair(Metric::kGc, 4), Pair(Metric::kCpu, 2)));
}

TEST(ValuesTest, SumsHaveTheirParts) {
  Values<Number> values;
  values.At(Metric::kPython).value = 1;
  values.At(Metric::kKernel).value = 2;
  values.At(Metric::kGc).value = 4;
  EXPECT_EQ(values.Sum(InfoOf(Metric::kCpu).parts).value, 3);
  EXPECT_EQ(values.Sum(InfoOf(Metric::kGc).parts).value, 4);
  EXPECT_EQ(values.Sum(InfoOf(Metric::kWait).parts).value, 0);
}

TEST(ValuesTest, IsAsAnArrayOfAll) {
  std::mt19937 random(7);
  std::array<int, kCount> expected{};
  Values<Number> values;
  for (int step = 0; step < 2000; ++step) {
    Values<Number> more;
    for (size_t i = random() % 4; i > 0; --i) {
      const auto metric = Metric(random() % kCount);
      const int value = static_cast<int>(random() % 100);
      more.At(metric).Add({value});
      expected[static_cast<size_t>(metric)] += value;
    }
    values.Add(more);
  }
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(values[Metric(i)].value, expected[i]);
}

}  // namespace
}  // namespace pyrometer::metric
