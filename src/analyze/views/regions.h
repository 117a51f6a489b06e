// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The regions of all threads, by name, longest first.
std::vector<RegionStats> SumRegions(const profile::Profile& profile);

}  // namespace pyrometer::analyze
