// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyze/report.h"
#include "analyze/scope.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

struct ReportOptions {
  Scope scope;
  bool all_functions = false;  // lines of all functions, whether or not some have @profile
};

// Pure: the same profile and options give the same report.
Report BuildReport(const profile::Profile& profile, const ReportOptions& options);

}  // namespace pyrometer::analyze
