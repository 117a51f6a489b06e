// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "analyze/report/report.h"

namespace pyrometer::analyze {

// The ranks of a parallel program side by side, slowest first: processes are
// grouped by the variable with which their launcher numbered them. Empty
// unless there are at least two. REQUIRES: processes and facts of the report.
RankTable CompareRanks(const Report& report);

// The number that each process, by its pid, was given in `variable`.
std::map<uint64_t, uint64_t> RanksByPid(const Report& report, std::string_view variable);

}  // namespace pyrometer::analyze
