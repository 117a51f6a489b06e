// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyze/diff/diff.h"
#include "analyze/diff/diff_rows.h"
#include "analyze/diff/run_speeds.h"
#include "analyze/stats/change.h"

namespace pyrometer::analyze {

// By which the CPU time of a function differs from run to run, at the same speed of
// the machine and besides sampling.
inline constexpr double kCpuNoise = 0.01;

// Why a metric of these runs cannot be judged, in a few words; empty: it can.
std::string WhyNotJudged(metric::Metric metric, const DiffRows& rows);

// Judges the rows of one metric. See docs/internals/sampling-math.md.
//
// Refers to what it is made of. Thread-safety: none; one owner.
class ChangeJudge {
 public:
  // `speeds`: that CPU time is compared at; null: as it is, of pairs side by side where
  // runs are pairs. `metrics`: how many are judged in all, so that each gets its part of
  // the chances for an accident.
  ChangeJudge(const DiffRows& rows, metric::Metric metric, RunSpeeds* speeds, size_t metrics);

  // Takes functions that have changed out of `speeds`, one by one.
  void LeaveChanged();
  MetricDiff Judge();

 private:
  struct Judged {
    const DiffRows::Row* row = nullptr;
    bool tested = false;
    double budget = 0;  // of a function: its part of the chances for an accident
    Fit fit{};
    Change change{};
  };

  RunSum SumOf(const DiffRows::Row& row, size_t run) const;
  RunSum SumOf(const DiffRows::Row& row) const;
  bool IsTested(const DiffRows::Row& row) const;
  std::vector<RunValue> ValuesOf(const DiffRows::Row& row) const;
  // As an exact test of few samples sees it.
  double FewSamplesP(const DiffRows::Row& row) const;
  Judged JudgeRow(const DiffRows::Row& row) const;
  std::vector<Judged> JudgeFunctions();
  Change JudgeTotal() const;
  // Judges rows that belong to functions.
  std::vector<Judged> JudgeInside(const std::vector<DiffRows::Row>& rows,
                                  const std::vector<Judged>& functions) const;
  std::vector<DiffRow> List(std::vector<Judged> rows, bool lines) const;
  void SetDetectable(const std::vector<Judged>& functions, MetricDiff& diff) const;

  const DiffRows& rows_;
  const metric::Metric metric_;
  RunSpeeds* const speeds_;
  const size_t metrics_;
  const bool paired_;
  const std::string why_not_;
  NoiseModel noise_;
  std::vector<RunSum> totals_;  // by run
  RunSum all_;
  double scatter_ = 1;
};

}  // namespace pyrometer::analyze
