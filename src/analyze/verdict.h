// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyze/frame_table.h"
#include "analyze/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// What the run is bound by, most important first. `main_thread` is the index
// in the profile of the thread that the user sits through, none when there are
// no threads; `merged` is finished.
std::vector<Verdict> FindVerdicts(const profile::Profile& profile, const FrameTable& frames,
                                  const View& merged, const std::vector<LeakStats>& leaks,
                                  std::optional<size_t> main_thread);

}  // namespace pyrometer::analyze
