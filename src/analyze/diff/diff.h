// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/diff/code_table.h"
#include "analyze/diff/run_amounts.h"
#include "metric/metric.h"

// What has changed between two sets of runs, as plain values: BuildDiff makes them,
// tui and export show them. docs/internals/sampling-math.md says when a change is
// significant.
namespace pyrometer::analyze {

// Times and bytes of one thing in both sets: means over the runs, ns or bytes.
struct Change {
  double base = 0;
  double now = 0;  // at the speed of the base where that is looked at
  double difference = 0;
  double low = 0;  // 95 % interval of `difference`
  double high = 0;
  uint64_t base_samples = 0;  // of all runs
  uint64_t new_samples = 0;
  bool judged = false;    // else there are too few runs or samples to say anything
  double accident_p = 1;  // of such a difference of this row by accident
  double p = 1;           // of any such row by accident: adjusted for all that are looked at
  bool significant = false;

  // Of the base; empty where that is nothing.
  std::optional<double> percent() const {
    if (!(base > 0)) return std::nullopt;
    return 100 * difference / base;
  }
};

struct DiffRow {
  CodeTable::Entry code{};  // neither place: all that is outside the user's code
  // Of a call path, outermost first; the last is the one that `code` is about.
  std::vector<std::string> path{};
  Change change{};

  bool is_outside() const { return !code.base && !code.now; }
};

struct MetricDiff {
  metric::Info info = metric::InfoOf(metric::Metric::kCpu);
  bool judged = false;
  std::string why_not{};  // judged, in a few words
  Change total{};
  // Significant ones first, then others; each by the size of its difference.
  std::vector<DiffRow> functions{}, lines{}, paths{};
  // The least change of the function with most that these runs would show four times
  // out of five; empty: not judged.
  std::optional<double> detectable{};
  std::string detectable_in{};  // that function
};

// How much slower the machine was for the new side.
struct SpeedRatio {
  double factor = 1;
  double low = 1;  // 95 % interval
  double high = 1;
};

struct DiffSide {
  size_t runs = 0;
  std::vector<std::string> captures{};
  std::vector<std::string> command{};  // of the first run
  std::string interpreter{};
  std::string clock{};
  uint64_t sample_period_ns = 0;
  uint64_t elapsed_ns = 0;  // mean
};

struct Diff {
  DiffSide base{}, now{};
  // The runs are pairs that were recorded side by side, and CPU time is compared so.
  bool paired = false;
  std::optional<SpeedRatio> speed{};  // that CPU time is compared at; empty: seconds as they are
  std::vector<MetricDiff> metrics{};
  metric::Table table{};             // that the metrics are of
  std::vector<std::string> notes{};  // what makes the sides hard to compare, a sentence each

  const MetricDiff* Find(metric::Metric metric) const;
};

// CPU time, waits, memory at the peak, allocated and copied.
std::span<const metric::Metric> UsualMetrics();

struct DiffOptions {
  // Compare CPU time as it is, not at the same speed of the machine. Runs side by side
  // have the same speed; of them it is always so.
  bool absolute = false;
  // Those that both sides have recorded are compared.
  std::vector<metric::Metric> metrics{};
  metric::Table table{};  // that they and the runs are of
};

// Chances below this are no accident.
inline constexpr double kSignificantP = 0.05;

// Pure. REQUIRES: neither side is empty
Diff BuildDiff(std::span<const RunAmounts> base, std::span<const RunAmounts> now,
               const DiffOptions& options);

}  // namespace pyrometer::analyze
