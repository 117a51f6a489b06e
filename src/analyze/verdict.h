// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/report.h"

namespace pyrometer::analyze {

// What the run is bound by, most important first. `merged` is finished.
std::vector<Verdict> FindVerdicts(const View& merged, const std::vector<LeakStats>& leaks);

}  // namespace pyrometer::analyze
