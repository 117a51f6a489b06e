// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace pyrometer::analyze {

// How slow the machine was in each of several runs of about the same program, found
// from rows that have not changed. See docs/internals/sampling-math.md.
//
// Thread-safety: immutable but for Leave.
class Speed {
 public:
  // The logarithm of the factor by which a run was slower than the mean of all.
  struct Estimate {
    double log = 0;
    double variance = 0;
  };

  // `relative_noise`: by which rows differ from run to run, besides their sampling.
  Speed(size_t runs, double relative_noise) : runs_(runs), noise_(relative_noise) {}

  // A row with its values in all runs and their relative variances. Rows that are
  // missing in a run, or hardly known, tell nothing and are counted but not used.
  void AddRow(const std::vector<double>& values, const std::vector<double>& relative_variances);
  // The row has changed, and tells nothing about the machine.
  void Leave(size_t row) { rows_[row].used = false; }

  // As all rows tell but `except`.
  Estimate Of(size_t run, std::optional<size_t> except) const;

 private:
  struct Row {
    bool used = false;
    std::vector<double> logs;       // relative to the row's mean, by run
    std::vector<double> variances;  // by run
  };

  size_t runs_;
  double noise_;
  std::vector<Row> rows_;
};

}  // namespace pyrometer::analyze
