// SPDX-License-Identifier: Apache-2.0
#include "metric/amount_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace pyrometer::metric {
namespace {

using nlohmann::json;

// The page is tested against the same numbers: tests/corpus/README.md.
class AmountTextTest : public ::testing::Test {
 protected:
  AmountTextTest() {
    std::ifstream file(PYRO_NUMBERS);
    corpus_ = json::parse(file);
  }

  // Each case ends with what is to be read.
  template <class Format>
  void Check(const char* cases, Format format) {
    ASSERT_GT(corpus_[cases].size(), 5u) << cases;
    for (const json& a_case : corpus_[cases])
      EXPECT_EQ(format(a_case), a_case.back().get<std::string>()) << cases << ": " << a_case.dump();
  }

  json corpus_;
};

TEST_F(AmountTextTest, NumbersAreThoseOfTheCorpus) {
  Check("times", [](const json& a_case) { return TimeText(a_case[0]); });
  Check("bytes", [](const json& a_case) { return BytesText(a_case[0]); });
  Check("counts", [](const json& a_case) { return CountText(a_case[0]); });
  Check("amounts_of_counts",
        [](const json& a_case) { return AmountText(InfoOf(Metric::kSamples), a_case[0]); });
  Check("shares", [](const json& a_case) { return ShareText(a_case[0], a_case[1]); });
}

TEST_F(AmountTextTest, AmountsHaveTheUnitOfTheirMetric) {
  EXPECT_EQ(AmountText(InfoOf(Metric::kCpu), 120e6), "120 ms");
  EXPECT_EQ(AmountText(InfoOf(Metric::kLiveAtPeak), 8e9), "8.00 GB");
}

TEST_F(AmountTextTest, TheLargestNumbersAreNotLong) {
  constexpr uint64_t kMost = ~uint64_t{0};
  EXPECT_EQ(BytesText(static_cast<double>(kMost)), "18,446,744 TB");
  EXPECT_EQ(TimeText(static_cast<double>(kMost)), "18,446,744,074 s");
  EXPECT_EQ(CountText(kMost), "18,446,744,073,709,551,615");
}

TEST_F(AmountTextTest, OfNothingThereIsNoShare) { EXPECT_EQ(ShareText(0, 0), "-"); }

TEST_F(AmountTextTest, SentencesHaveWholePercents) {
  EXPECT_EQ(WholePercent(1, 8), "13 %");
  EXPECT_EQ(WholePercent(2, 3), "67 %");
  EXPECT_EQ(WholePercent(0, 0), "0 %");
}

}  // namespace
}  // namespace pyrometer::metric
