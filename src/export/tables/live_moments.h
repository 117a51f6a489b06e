// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// What was live in each process at its two moments: when it had most in use, and
// at its end. The same that the report charges to lines.
struct LiveMoments {
  LiveMoments(const profile::Profile& profile, const analyze::Report& report);

  std::vector<format::LiveMemory> peak;  // without types
  std::vector<format::LiveMemory> left;
};

}  // namespace pyrometer::export_
