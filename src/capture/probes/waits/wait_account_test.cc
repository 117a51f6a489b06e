// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/waits/wait_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "capture/probes/waits/wait_span_text.h"

namespace pyrometer::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Wait kUnseen = At(99);

// Times in milliseconds. Spans are "stack begin-end", in the order in which they were written.
class WaitAccountTest : public ::testing::Test {
 protected:
  void Stay(uint64_t now) { account_.Stay(now * kMs, &spans_); }
  void Blocked(uint64_t now, uint64_t busy, uint32_t stack) {
    account_.Move(now * kMs, busy * kMs, At(stack), &spans_);
  }
  void Running(uint64_t now, uint64_t busy) {
    account_.Move(now * kMs, busy * kMs, std::nullopt, &spans_);
  }
  void End(uint64_t now, std::optional<uint64_t> busy) {
    if (busy) *busy *= kMs;
    account_.End(now * kMs, busy, kUnseen, &spans_);
  }
  std::vector<std::string> Written() {
    std::vector<std::string> texts;
    for (const WaitSpan& span : std::exchange(spans_, {})) {
      EXPECT_GE(span.count, 1u);
      texts.push_back(Text(span));
    }
    return texts;
  }

  WaitAccount account_{0};
  WaitSpans spans_;
};

TEST_F(WaitAccountTest, AWaitLiesWhereItWas) {
  Running(10, 10);
  Blocked(20, 4, 1);  // began to wait at 14
  Stay(30);
  Stay(40);
  Running(50, 7);  // and ended at 43
  EXPECT_THAT(Written(), ElementsAre("1 14-43"));
}

TEST_F(WaitAccountTest, WaitsOfOnePlaceStayApartInTime) {
  for (uint64_t t : {0, 500, 1000}) {
    for (uint64_t ran = 10; ran <= 200; ran += 10) Running(t + ran, 10);
    Blocked(t + 210, 0, 1);
    for (uint64_t slept = 20; slept <= 300; slept += 10) Stay(t + 200 + slept);
  }
  End(1500, 0);
  EXPECT_THAT(Written(), ElementsAre("1 200-500", "1 700-1000", "1 1200-1500"));
}

TEST_F(WaitAccountTest, TheBorderOfTwoWaitsIsInTheMiddle) {
  Blocked(10, 0, 1);
  Blocked(20, 2, 2);  // 8 of 10 blocked: 4 there, 4 here
  End(30, 0);
  EXPECT_THAT(Written(), ElementsAre("1 0-14", "2 16-30"));
}

TEST_F(WaitAccountTest, TimeThatNoPollMetGoesToTheNextPlaceButStaysInItsMoment) {
  Running(10, 2);
  Running(20, 2);
  Blocked(50, 0, 1);
  EXPECT_THAT(Written(), ElementsAre("1 2-10", "1 12-20"));
}

TEST_F(WaitAccountTest, WhatCountersHadTooLittleIsNoWaitOfItsOwn) {
  Running(10, 7);  // ran all the time, as the next poll shows
  Blocked(20, 5, 1);
  End(30, 0);
  EXPECT_THAT(Written(), ElementsAre("1 12-30"));
}

TEST_F(WaitAccountTest, TimeThatNoPollEverMetIsSaidToBeSo) {
  Running(10, 7);
  End(20, 8);
  EXPECT_THAT(Written(), ElementsAre("99 7-10", "99 18-20"));
}

TEST_F(WaitAccountTest, NoWaitLiesWhereTheThreadWasSeenOnACpu) {
  Blocked(10, 0, 1);
  account_.OnCpu(12 * kMs + 1);
  Running(20, 2);  // its counters lag: 8 ms of waiting cannot be
  Running(30, 16);
  account_.OnCpu(37 * kMs);
  Blocked(40, 4, 2);
  End(50, 0);
  EXPECT_THAT(Written(), ElementsAre("1 0-12", "2 34-37", "2 37-50"));
}

TEST_F(WaitAccountTest, APollIsOneWait) {
  Blocked(10, 0, 1);
  Blocked(20, 1, 1);
  Blocked(30, 1, 1);
  End(40, 0);
  EXPECT_THAT(Written(), ElementsAre("1 2-40"));  // 38 of 40 ms
}

TEST_F(WaitAccountTest, ALongWaitIsWrittenEverySecond) {
  Blocked(10, 0, 1);
  for (uint64_t now = 90; now <= 2500; now += 80) Stay(now);
  End(2500, 0);
  EXPECT_THAT(Written(), ElementsAre("1 0-1050", "1 1050-2090", "1 2090-2500"));
}

TEST_F(WaitAccountTest, CountersThatLagAreNoWait) {
  Running(10, 6);  // 4 ms are not accounted for yet
  Running(20, 14);
  Running(30, 6);
  Running(40, 14);
  End(50, 10);
  EXPECT_THAT(Written(), IsEmpty());
}

TEST_F(WaitAccountTest, ARunningThreadThatIsKilledHasNotWaited) {
  Running(10, 6);
  End(20, std::nullopt);
  EXPECT_THAT(Written(), IsEmpty());
}

TEST_F(WaitAccountTest, OfAThreadThatIsKilledNothingIsKnownSinceTheLastPoll) {
  Blocked(10, 0, 1);
  End(90, std::nullopt);
  EXPECT_THAT(Written(), ElementsAre("1 0-10"));
}

TEST_F(WaitAccountTest, WaitingForTheFirstCpuIsNotTakenFromLaterWaits) {
  Running(10, 15);
  Blocked(20, 0, 1);
  End(30, 0);
  EXPECT_THAT(Written(), ElementsAre("1 10-30"));
}

TEST_F(WaitAccountTest, APauseDoesNotCount) {
  Blocked(10, 0, 1);
  account_.Skip(500 * kMs, &spans_);
  Blocked(510, 0, 1);
  End(520, 0);
  EXPECT_THAT(Written(), ElementsAre("1 0-10", "1 500-520"));
}

TEST_F(WaitAccountTest, ManyWindowsWithoutAPlaceBecomeCoarserAndLoseNothing) {
  for (uint64_t now = 10; now <= 5000; now += 10) Running(now, 9);
  Blocked(5010, 10, 1);
  End(5010, 0);
  uint64_t sum = 0;
  for (const WaitSpan& span : spans_) sum += span.ns;
  EXPECT_EQ(sum, 500 * kMs);
  EXPECT_LE(spans_.size(), 128u);
}

TEST_F(WaitAccountTest, WhateverHappensTheSumIsWhatTheThreadWasBlocked) {
  std::mt19937 random(1);
  uint64_t now = 0, busy_sum = 0;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t elapsed = 10 + random() % 70;
    now += elapsed;
    const uint64_t busy = random() % 2 != 0 ? random() % (elapsed + 1) : 0;
    if (busy == 0 && account_.blocked()) {
      Stay(now);
    } else {
      busy_sum += busy;
      if (random() % 3 != 0)
        Blocked(now, busy, 1 + random() % 3);
      else
        Running(now, busy);
    }
    if (random() % 50 == 0) account_.Flush(&spans_);
  }
  End(now + 10, 10);
  uint64_t sum = 0;
  for (const WaitSpan& span : spans_) {
    sum += span.ns;
    EXPECT_LE(span.ns, span.end_ns);
  }
  EXPECT_EQ(sum, (now - busy_sum) * kMs);
}

}  // namespace
}  // namespace pyrometer::capture
