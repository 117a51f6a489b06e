// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Whether something has changed between two sets of runs, and by how much.
// docs/internals/sampling-math.md derives it.
namespace pyrometer::analyze {

// The amount of one row in one run.
struct RunValue {
  double value = 0;
  double variance = 0;  // of `value`, from sampling alone
  // How slow the machine was in that run, as other rows tell: the logarithm of a
  // factor, and its variance. 0 where it is not looked at.
  double log_speed = 0;
  double log_speed_variance = 0;
  bool now = false;  // a run of the new side
  // Runs that were recorded side by side have the same number, one of each side, below
  // the number of runs. All have one, or none.
  std::optional<uint32_t> pair = {};
};

// What is known about amounts of one kind before any run is looked at.
struct NoiseModel {
  double relative = 0;  // by which runs of the same program differ, besides sampling and speed
  double absolute = 0;  // the same in the unit of the values
  // A row follows the speed of the machine with a slope of 1, give or take this: code
  // that waits for memory slows down more than other code. Empty: it does not.
  std::optional<double> slope_deviation = {};
};

// The difference that fits the runs best.
struct Fit {
  double base = 0;  // mean over the runs
  double now = 0;   // the same at the speed of the base: base + difference
  double difference = 0;
  double low = 0;  // 95 % interval of `difference`
  double high = 0;
  double p = 1;           // of a difference as large by accident, if nothing has changed
  double deviation = 0;   // standard deviation of `difference`
  double freedom = 1;     // degrees of freedom
  double residue = 0;     // how much runs scatter, as a multiple of the model's variance
  double residue_df = 0;  // how many degrees of freedom that has
  double pull = 0;        // the difference in standard deviations of the model
};

// Fits runs of one row. `scatter` is by how much runs scatter beyond the model in
// general, as a multiple of its variance; what this row does counts as well.
// REQUIRES: there are runs of both sides
Fit FitChange(std::span<const RunValue> runs, const NoiseModel& noise, double scatter);

// The common `scatter` of rows that were fitted with a scatter of 1: from the runs of
// each side where there are several, else from how much rows differ among each other.
double CommonScatter(std::span<const Fit> fits);

}  // namespace pyrometer::analyze
