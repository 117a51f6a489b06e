// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/report/report.h"

namespace pyrometer::analyze {

// What the run is bound by, most important first. `merged` is finished.
std::vector<Verdict> FindVerdicts(const View& merged, const metric::Table& metrics,
                                  const std::vector<LeakStats>& leaks);

}  // namespace pyrometer::analyze
