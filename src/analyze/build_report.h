// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analyze/code/scope.h"
#include "analyze/report/report.h"
#include "metric/metric.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

struct ReportOptions {
  Scope scope = {};
  bool all_functions = false;  // lines of all functions, whether or not some have @profile
  // Without: rows have no `total`, and there are no rows but those with a `self` or
  // `scoped`. For who does not show them: they take most of the time.
  bool totals = true;
  // Without: views of processes have threads and totals only.
  bool process_rows = true;
  // What the two below go by; time, or memory where there is no time, if empty.
  std::optional<metric::Metric> metric = {};
  std::optional<double> tree_threshold_percent = {};  // with a tree of calls
  size_t lines_with_callers = 0;
};

// Pure: the same profile and options give the same report.
Report BuildReport(const profile::Profile& profile, const ReportOptions& options);

}  // namespace pyrometer::analyze
