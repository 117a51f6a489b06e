// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analyze/diff/testing/simulated_runs.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using testing::SimulatedMachine;
using testing::SimulatedProgram;
using testing::SimulatePairs;
using testing::SimulateRuns;

const SimulatedProgram kProgram{{{"score", 5, 0.6, 40e6},
                                 {"render", 1.2, 1.3, 10e6},
                                 {"arrange", 1.3, 1.2, 5e6},
                                 {"tally", 0.9, 1.1},
                                 {"parse", 0.8, 1.3, 80e6},
                                 {"smooth", 0.4},
                                 {"main", 0.2},
                                 {"rare", 0.02}}};

// What was named in many comparisons.
struct Outcome {
  size_t silent = 0;       // nothing at all
  size_t found = 0;        // the function that was changed
  size_t others = 0;       // with a function that was not
  size_t wrong_lines = 0;  // with a line of a function that was not
};

class DiffTest : public ::testing::Test {
 protected:
  Outcome Repeat(size_t times, size_t runs, const SimulatedProgram& now,
                 const std::string& changed = "") {
    Outcome outcome;
    for (size_t i = 0; i < times; ++i) {
      const auto base_runs = SimulateRuns(runs, kProgram, machine_, random_);
      const auto new_runs = SimulateRuns(runs, now, new_machine_, random_);
      Count(BuildDiff(base_runs, new_runs, options_), changed, outcome);
    }
    return outcome;
  }

  // The same of runs side by side.
  Outcome RepeatPairs(size_t times, size_t pairs, const SimulatedProgram& now,
                      const std::string& changed = "") {
    Outcome outcome;
    for (size_t i = 0; i < times; ++i) Count(ComparePairs(pairs, now), changed, outcome);
    return outcome;
  }

  Diff ComparePairs(size_t pairs, const SimulatedProgram& now) {
    const auto [base_runs, new_runs] = SimulatePairs(pairs, kProgram, now, machine_, random_);
    return BuildDiff(base_runs, new_runs, options_);
  }

  Diff Compare(size_t runs, const SimulatedProgram& base, const SimulatedProgram& now) {
    const auto base_runs = SimulateRuns(runs, base, machine_, random_);
    const auto new_runs = SimulateRuns(runs, now, new_machine_, random_);
    return BuildDiff(base_runs, new_runs, options_);
  }

  static const DiffRow* Function(const MetricDiff& diff, const std::string& name) {
    for (const DiffRow& row : diff.functions)
      if (!row.is_outside() && row.code.place().function == name) return &row;
    return nullptr;
  }

  std::mt19937_64 random_{7};
  SimulatedMachine machine_, new_machine_;
  DiffOptions options_{.metrics = {Metric::kCpu}};

 private:
  static void Count(const Diff& diff, const std::string& changed, Outcome& outcome) {
    bool any = false, found = false, other = false, wrong_line = false;
    for (const MetricDiff& metric : diff.metrics) {
      any = any || metric.total.significant;
      for (const auto* rows : {&metric.functions, &metric.lines, &metric.paths})
        for (const DiffRow& row : *rows) {
          if (!row.change.significant) continue;
          any = true;
          const bool right = !row.is_outside() && row.code.place().function == changed;
          if (rows == &metric.functions) (right ? found : other) = true;
          wrong_line = wrong_line || (rows != &metric.functions && !right);
        }
    }
    outcome.silent += any ? 0 : 1;
    outcome.found += found ? 1 : 0;
    outcome.others += other ? 1 : 0;
    outcome.wrong_lines += wrong_line ? 1 : 0;
  }
};

constexpr size_t kTimes = 400;

TEST_F(DiffTest, OneRunOfTheSameProgramEachIsSilent) {
  EXPECT_GE(Repeat(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, SeveralRunsOfTheSameProgramAreSilent) {
  EXPECT_GE(Repeat(kTimes, 2, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 5, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, RunsOfTheSameProgramOnANoisyMachineAreSilent) {
  machine_.function_noise = new_machine_.function_noise = 0.02;
  machine_.speed_noise = new_machine_.speed_noise = 0.1;
  EXPECT_GE(Repeat(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 3, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 5, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, FewSamplesOfTheSameProgramAreSilent) {
  machine_.rate = new_machine_.rate = 20;
  EXPECT_GE(Repeat(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 5, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, MemoryOfTheSameProgramIsSilent) {
  machine_.memory = new_machine_.memory = true;
  options_.metrics = {Metric::kCpu, Metric::kLiveAtPeak};
  EXPECT_GE(Repeat(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 4, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, FivePercentOfOneFunctionAreFoundInFiveRuns) {
  machine_.rate = new_machine_.rate = 2000;
  const Outcome outcome = Repeat(kTimes / 2, 5, kProgram.With("score", 1.05), "score");
  EXPECT_GE(outcome.found, kTimes / 2 * 95 / 100);
  EXPECT_LE(outcome.others, kTimes / 2 * 5 / 100);
  EXPECT_LE(outcome.wrong_lines, kTimes / 2 * 5 / 100);
}

TEST_F(DiffTest, ALargeChangeIsFoundInOneRunEach) {
  const Outcome outcome = Repeat(100, 1, kProgram.With("score", 1.5), "score");
  EXPECT_GE(outcome.found, 95u);
  EXPECT_LE(outcome.others, 5u);
}

TEST_F(DiffTest, AFunctionThatIsNewOrGoneIsFound) {
  SimulatedProgram more = kProgram;
  more.functions.push_back({"added", 0.5});
  EXPECT_GE(Repeat(50, 1, more, "added").found, 48u);
  const Diff diff = Compare(3, more, kProgram);
  const DiffRow* gone = Function(diff.metrics[0], "added");
  ASSERT_NE(gone, nullptr);
  EXPECT_TRUE(gone->change.significant);
  EXPECT_FALSE(gone->code.now);
  EXPECT_NEAR(gone->change.difference, -0.5e9, 0.1e9);
}

TEST_F(DiffTest, AMachineThatIsSlowerIsNoChange) {
  new_machine_.speed = 1.25;
  EXPECT_GE(Repeat(100, 5, kProgram).silent, 95u);
  const Diff diff = Compare(5, kProgram, kProgram);
  ASSERT_TRUE(diff.speed);
  EXPECT_GT(diff.speed->factor, 1.1);
  EXPECT_LT(diff.speed->low, diff.speed->factor);
}

TEST_F(DiffTest, AsItIsASlowerMachineIsAChange) {
  options_.absolute = true;
  new_machine_.speed = 1.6;
  const Diff diff = Compare(5, kProgram, kProgram);
  EXPECT_FALSE(diff.speed);
  EXPECT_TRUE(diff.metrics[0].total.significant);
  new_machine_.speed = 1;
  EXPECT_GE(Repeat(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(Repeat(kTimes, 4, kProgram).silent, kTimes * 95 / 100);
}

// The rest must not look faster because the one that nearly everything is has grown.
TEST_F(DiffTest, AFunctionThatIsNearlyAllIsNotTakenForTheMachine) {
  const SimulatedProgram most{{{"work", 9.5}, {"load", 0.3}, {"save", 0.2}}};
  size_t right = 0;
  for (int i = 0; i < 50; ++i) {
    const Diff diff = Compare(3, most, most.With("work", 1.5));
    const MetricDiff& cpu = diff.metrics[0];
    right += Function(cpu, "work")->change.significant &&
             !Function(cpu, "load")->change.significant &&
             !Function(cpu, "save")->change.significant;
  }
  EXPECT_GE(right, 47u);
}

TEST_F(DiffTest, IntervalsHoldTheTruth) {
  size_t held = 0;
  const SimulatedProgram slower = kProgram.With("score", 1.1);
  for (size_t i = 0; i < 200; ++i) {
    const Change change = Function(Compare(4, kProgram, slower).metrics[0], "score")->change;
    // The truth is a tenth of what the base really has.
    const double truth = change.base * 0.1;
    held += change.low <= truth && truth <= change.high ? 1 : 0;
  }
  EXPECT_GE(held, 185u);
}

TEST_F(DiffTest, PairsOfTheSameProgramAreSilent) {
  for (const double noise : {0.001, 0.005, 0.02}) {
    machine_.function_noise = noise;
    for (const size_t pairs : {1, 2, 3, 5})
      EXPECT_GE(RepeatPairs(kTimes, pairs, kProgram).silent, kTimes * 95 / 100)
          << pairs << " pairs, noise " << noise;
  }
}

TEST_F(DiffTest, PairsWithFewSamplesAreSilent) {
  machine_.rate = 20;
  EXPECT_GE(RepeatPairs(kTimes, 1, kProgram).silent, kTimes * 95 / 100);
  EXPECT_GE(RepeatPairs(kTimes, 5, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, PairsShowFivePercentOfOneFunctionWhateverTheSpeed) {
  machine_.rate = 2000;
  machine_.speed_noise = 0.3;
  machine_.function_noise = 0.01;
  const Outcome outcome = RepeatPairs(kTimes / 2, 5, kProgram.With("score", 1.05), "score");
  EXPECT_GE(outcome.found, kTimes / 2 * 95 / 100);
  EXPECT_LE(outcome.others, kTimes / 2 * 5 / 100);
  EXPECT_LE(outcome.wrong_lines, kTimes / 2 * 5 / 100);
}

TEST_F(DiffTest, PairsBearRunsWithBadLuck) {
  machine_.rate = 2000;
  machine_.unlucky = 0.04;
  for (const size_t pairs : {2, 3, 5, 8})
    EXPECT_GE(RepeatPairs(kTimes, pairs, kProgram).silent, kTimes * 95 / 100) << pairs << " pairs";
  const Outcome outcome = RepeatPairs(kTimes, 5, kProgram.With("score", 1.05), "score");
  EXPECT_GE(outcome.found, kTimes * 95 / 100);
  EXPECT_LE(outcome.others, kTimes * 5 / 100);
}

TEST_F(DiffTest, PairsShowThatAllIsSlower) {
  machine_.speed_noise = 0.3;
  SimulatedProgram slower = kProgram;
  for (SimulatedProgram::Function& function : slower.functions) function.seconds *= 1.05;
  size_t found = 0;
  for (size_t i = 0; i < 100; ++i) {
    const Diff diff = ComparePairs(5, slower);
    EXPECT_TRUE(diff.paired);
    EXPECT_FALSE(diff.speed);
    found += diff.metrics[0].total.significant ? 1 : 0;
  }
  EXPECT_GE(found, 95u);
}

TEST_F(DiffTest, IntervalsOfPairsHoldTheTruth) {
  machine_.speed_noise = 0.3;
  size_t held = 0;
  for (size_t i = 0; i < 200; ++i) {
    const Diff diff = ComparePairs(4, kProgram.With("score", 1.1));
    const Change change = Function(diff.metrics[0], "score")->change;
    const double truth = change.base * 0.1;
    held += change.low <= truth && truth <= change.high ? 1 : 0;
  }
  EXPECT_GE(held, 185u);
}

TEST_F(DiffTest, SaysWhatCouldNotHaveBeenSeen) {
  const Diff one = Compare(1, kProgram, kProgram), five = Compare(5, kProgram, kProgram);
  ASSERT_TRUE(one.metrics[0].detectable && five.metrics[0].detectable);
  EXPECT_EQ(one.metrics[0].detectable_in, "score");
  EXPECT_GT(*one.metrics[0].detectable, *five.metrics[0].detectable);
}

TEST_F(DiffTest, WaitsNeedSeveralRuns) {
  options_.metrics = {Metric::kCpu, Metric::kWait};
  EXPECT_FALSE(Compare(3, kProgram, kProgram).Find(Metric::kWait)->judged);
  machine_.wait_seconds = new_machine_.wait_seconds = 2;
  EXPECT_FALSE(Compare(2, kProgram, kProgram).Find(Metric::kWait)->judged);
  EXPECT_TRUE(Compare(3, kProgram, kProgram).Find(Metric::kWait)->judged);
  EXPECT_GE(Repeat(kTimes, 3, kProgram).silent, kTimes * 95 / 100);
}

TEST_F(DiffTest, MemoryOfOneSideOnlyIsSaidAndNotCompared) {
  options_.metrics = {Metric::kCpu, Metric::kLiveAtPeak};
  new_machine_.memory = true;
  const Diff diff = Compare(1, kProgram, kProgram);
  EXPECT_EQ(diff.Find(Metric::kLiveAtPeak), nullptr);
  ASSERT_EQ(diff.notes.size(), 1u);
  EXPECT_EQ(diff.notes[0], "memory was recorded by the new runs only, and is not compared");
}

TEST_F(DiffTest, DifferentRatesAreComparedAndSaid) {
  new_machine_.rate = 250;
  const Diff diff = Compare(5, kProgram, kProgram);
  ASSERT_EQ(diff.notes.size(), 1u);
  EXPECT_GE(Repeat(100, 3, kProgram).silent, 95u);
}

TEST_F(DiffTest, RunsWithoutAnythingAreNoChange) {
  const SimulatedProgram nothing{{{"main", 0}}};
  const Diff diff = Compare(2, nothing, nothing);
  ASSERT_EQ(diff.metrics.size(), 1u);
  EXPECT_FALSE(diff.metrics[0].total.significant);
  EXPECT_EQ(diff.metrics[0].total.difference, 0);
}

}  // namespace
}  // namespace pyrometer::analyze
