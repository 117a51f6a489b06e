// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/cpu_balance.h"

#include <gtest/gtest.h>

namespace pyrometer::analyze {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// A program that ends after ten seconds, and what was recorded of it.
class CpuBalanceTest : public ::testing::Test {
 protected:
  void AddProcess(uint64_t pid, uint64_t cpu_ns, uint64_t end_ns = 10 * kSecond,
                  uint64_t start_ns = 0) {
    const format::ProcessId id(static_cast<uint32_t>(profile_.processes.size()));
    profile::Process process;
    process.info.pid = pid;
    process.info.clock = "cpu-timer";
    process.end = format::ProcessEnd{};
    process.end->end_ns = end_ns;
    profile_.processes.push_back(process);
    profile::Thread thread;
    thread.info.process = id;
    thread.info.tid = pid;
    thread.info.start_ns = start_ns;
    thread.end = format::ThreadEnd{};
    thread.end->end_ns = end_ns;
    thread.end->cpu_ns = cpu_ns;
    profile_.threads.push_back(thread);
  }

  Report Check(uint64_t program_cpu_ns) {
    profile_.counters.push_back(
        {format::ProcessId(0), metric::KeyOf(metric::Counter::kProgramCpu), program_cpu_ns});
    profile_.counters.push_back(
        {format::ProcessId(0), metric::KeyOf(metric::Counter::kProgramEnd), 10 * kSecond});
    Report report;
    CheckCpuBalance(profile_, report);
    return report;
  }

  profile::Profile profile_;
};

TEST_F(CpuBalanceTest, AgreesWithinTwoPercent) {
  AddProcess(1, 3 * kSecond);
  AddProcess(2, 5 * kSecond);
  const Report report = Check(8 * kSecond + kSecond / 8);
  EXPECT_TRUE(report.losses.empty());
  EXPECT_TRUE(report.facts.empty());
}

TEST_F(CpuBalanceTest, WhatIsMissingIsALoss) {
  AddProcess(1, 3 * kSecond);
  const Report report = Check(8 * kSecond);
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_TRUE(report.losses[0].key.counter == metric::Counter::kCpuInOtherPrograms);
  EXPECT_EQ(report.losses[0].value, 5 * kSecond);
}

TEST_F(CpuBalanceTest, WhatOutlivesTheProgramIsNotInTheKernelsSum) {
  AddProcess(1, 3 * kSecond);
  AddProcess(2, 5 * kSecond, 20 * kSecond);
  EXPECT_EQ(Check(8 * kSecond).losses.size(), 1u);
}

TEST_F(CpuBalanceTest, TwoImagesOfOneProcessCountOnce) {
  AddProcess(1, 3 * kSecond, 5 * kSecond);
  AddProcess(1, 4 * kSecond);
  const Report report = Check(4 * kSecond);
  ASSERT_EQ(report.facts.size(), 1u);
  EXPECT_TRUE(report.facts[0].key.counter == metric::Counter::kCpuExcess);
  EXPECT_EQ(report.facts[0].value, 3 * kSecond);
}

TEST_F(CpuBalanceTest, NoThreadWorksLongerThanItLives) {
  AddProcess(1, 1 * kSecond);
  AddProcess(2, 3 * kSecond, 10 * kSecond, 9 * kSecond);
  const Report report = Check(4 * kSecond);
  ASSERT_EQ(report.facts.size(), 1u);
  EXPECT_TRUE(report.facts[0].key.counter == metric::Counter::kCpuExcess);
  EXPECT_EQ(report.facts[0].value, 2 * kSecond);
}

TEST_F(CpuBalanceTest, ProcessesThatNobodyWaitedForAreNoExcess) {
  AddProcess(1, 1 * kSecond);
  AddProcess(2, 3 * kSecond);
  EXPECT_TRUE(Check(1 * kSecond).facts.empty());
}

TEST_F(CpuBalanceTest, MergedRunsAreNotJudged) {
  AddProcess(1, 1 * kSecond);
  AddProcess(2, 1 * kSecond);
  profile_.counters.push_back(
      {format::ProcessId(1), metric::KeyOf(metric::Counter::kProgramCpu), 9 * kSecond});
  EXPECT_TRUE(Check(9 * kSecond).losses.empty());
}

}  // namespace
}  // namespace pyrometer::analyze
