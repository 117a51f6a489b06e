// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/memory/memory_history.h"
#include "analyze/report/memory_account.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The chance that a program whose memory does not grow has any line in the list.
inline constexpr double kFalseLeakBound = 0.01;

// Lines whose memory keeps growing, fastest first. `spans`: of each process.
std::vector<LeakStats> FindLeaks(const profile::Profile& profile, const FrameTable& frames,
                                 const MemoryHistory& history, const std::vector<Span>& spans);

}  // namespace pyrometer::analyze
