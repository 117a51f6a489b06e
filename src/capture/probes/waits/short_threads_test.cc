// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/waits/short_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "capture/probes/waits/wait_span_text.h"

namespace pyrometer::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ShortThreadsTest : public ::testing::Test {
 protected:
  // Thread `id` was blocked for `ms` up to `end_ms`; stack 0: no poll has met it.
  void Ended(uint32_t id, uint64_t end_ms, uint64_t ms, uint32_t stack) {
    const WaitSpan span{At(stack), end_ms * kMs, ms * kMs, 1};
    if (stack != 0)
      threads_.AddMet(format::ThreadId(id), span, 10 * kMs);
    else
      threads_.AddUnmet(format::ThreadId(id), span);
  }
  // "thread: stack begin-end"
  static std::vector<std::string> Texts(const std::vector<ShortThreads::Placed>& placed) {
    std::vector<std::string> texts;
    for (const auto& [thread, span] : placed)
      texts.push_back(std::to_string(thread.value) + ": " + Text(span));
    return texts;
  }

  ShortThreads threads_;
};

TEST_F(ShortThreadsTest, OneThatWasMetStandsForAPeriod) {
  Ended(1, 10, 4, 0);
  Ended(2, 20, 4, 0);
  EXPECT_THAT(threads_.Take(), IsEmpty());
  Ended(3, 30, 4, 7);  // 6 ms for others
  EXPECT_THAT(Texts(threads_.Take()), ElementsAre("3: 7 26-30", "1: 7 6-10", "2: 7 16-18"));
  Ended(4, 40, 4, 8);
  EXPECT_THAT(Texts(threads_.Take()), ElementsAre("4: 8 36-40", "2: 8 18-20"));
  Ended(5, 50, 3, 0);  // 4 ms are left over from the last
  EXPECT_THAT(Texts(threads_.Take()), ElementsAre("5: 8 47-50"));
}

TEST_F(ShortThreadsTest, WhatStaysWithoutAPlaceGoesToTheLastOne) {
  Ended(1, 10, 10, 7);
  Ended(2, 20, 4, 0);
  EXPECT_THAT(Texts(threads_.TakeOld()), ElementsAre("1: 7 0-10"));
  EXPECT_THAT(Texts(threads_.TakeOld()), ElementsAre("2: 7 16-20"));
}

TEST_F(ShortThreadsTest, WhereNoneWasEverMetNothingIsMadeUp) {
  Ended(1, 10, 4, 0);
  threads_.TakeOld();
  EXPECT_THAT(Texts(threads_.TakeOld()), ElementsAre("1: 0 6-10"));
}

// Threads of two kinds, one blocked for 9 ms at stack 1, one for 1 ms at stack 2, each met
// with the probability that polls every 10 ms have.
TEST_F(ShortThreadsTest, EachPlaceGetsItsShare) {
  std::mt19937 random(1);
  constexpr uint32_t kEach = 20'000;
  std::map<uint32_t, uint64_t> ms;
  const auto add_up = [&ms](const std::vector<ShortThreads::Placed>& placed) {
    for (const auto& [thread, span] : placed) ms[span.wait.stack.value] += span.ns / kMs;
  };
  for (uint32_t i = 0; i < 2 * kEach; ++i) {
    const bool is_long = i % 2 != 0;
    const uint64_t wait = is_long ? 9 : 1;
    const bool met = random() % 10 < wait;
    Ended(i, 10 * (i + 1), wait, met ? (is_long ? 1 : 2) : 0);
    if (i % 100 == 0) add_up(threads_.TakeOld());
  }
  add_up(threads_.TakeOld());
  add_up(threads_.TakeOld());
  EXPECT_EQ(ms[1] + ms[2], 10u * kEach);
  // 2,000 polls meet the shorter ones: 3.3 standard deviations are 7 %.
  EXPECT_NEAR(static_cast<double>(ms[2]), kEach, 0.075 * kEach);
}

}  // namespace
}  // namespace pyrometer::capture
