// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyze/report.h"

namespace pyrometer::analyze {

// The ranks of a parallel program side by side, slowest first: processes are
// grouped by the variable with which their launcher numbered them. Empty
// unless there are at least two. REQUIRES: processes and facts of the report.
RankTable CompareRanks(const Report& report);

}  // namespace pyrometer::analyze
