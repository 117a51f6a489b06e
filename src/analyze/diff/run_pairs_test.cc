// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/run_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RunAmounts RunAt(uint64_t start_s, uint64_t seconds, std::optional<uint64_t> cpu = 0) {
  constexpr uint64_t kSecond = 1'000'000'000;
  return {.start_unix_ns = start_s * kSecond, .elapsed_ns = seconds * kSecond, .only_cpu = cpu};
}

std::vector<uint32_t> Pairs(std::vector<RunAmounts> base, std::vector<RunAmounts> now) {
  return FindPairs(base, now);
}

TEST(RunPairs, AreFoundInAnyOrder) {
  EXPECT_THAT(Pairs({RunAt(100, 20), RunAt(200, 20)}, {RunAt(201, 22), RunAt(99, 21)}),
              ElementsAre(0, 1, 1, 0));
}

TEST(RunPairs, RunOnTheSameCpu) {
  EXPECT_THAT(Pairs({RunAt(100, 20, 3)}, {RunAt(100, 20, 3)}), ElementsAre(0, 0));
  EXPECT_THAT(Pairs({RunAt(100, 20, 3)}, {RunAt(100, 20, 2)}), IsEmpty());
  EXPECT_THAT(Pairs({RunAt(100, 20, {})}, {RunAt(100, 20, {})}), IsEmpty());
}

TEST(RunPairs, RunOnTwoCpusAtATime) {
  EXPECT_THAT(Pairs({RunAt(100, 20, 0), RunAt(100, 20, 1)}, {RunAt(100, 20, 1), RunAt(100, 20, 0)}),
              ElementsAre(0, 1, 1, 0));
}

TEST(RunPairs, RunTogetherForMostOfTheTime) {
  EXPECT_THAT(Pairs({RunAt(100, 20)}, {RunAt(100, 30)}), ElementsAre(0, 0));
  EXPECT_THAT(Pairs({RunAt(100, 20)}, {RunAt(100, 50)}), IsEmpty());
  EXPECT_THAT(Pairs({RunAt(100, 20)}, {RunAt(115, 20)}), IsEmpty());
  EXPECT_THAT(Pairs({RunAt(100, 20)}, {RunAt(120, 20)}), IsEmpty());
}

TEST(RunPairs, NeedAPartnerForEach) {
  EXPECT_THAT(Pairs({RunAt(100, 20), RunAt(200, 20)}, {RunAt(100, 20)}), IsEmpty());
  EXPECT_THAT(Pairs({RunAt(100, 20), RunAt(200, 20)}, {RunAt(100, 20), RunAt(300, 20)}), IsEmpty());
}

TEST(RunPairs, AreNotThree) {
  EXPECT_THAT(Pairs({RunAt(100, 20), RunAt(100, 20)}, {RunAt(100, 20), RunAt(200, 20)}), IsEmpty());
  EXPECT_THAT(Pairs({RunAt(100, 20), RunAt(200, 20)}, {RunAt(100, 20), RunAt(100, 20)}), IsEmpty());
}

TEST(RunPairs, HaveATime) { EXPECT_THAT(Pairs({RunAt(0, 20)}, {RunAt(0, 20)}), IsEmpty()); }

}  // namespace
}  // namespace pyrometer::analyze
