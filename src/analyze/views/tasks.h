// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// What a task is called; empty when that is not known.
std::string TaskName(const profile::Profile& profile, const profile::Task& task);

// The asyncio tasks of a profile by the coroutine function that they run.
std::vector<TaskStats> SumTasks(const profile::Profile& profile, const FrameTable& frames);

// What tasks await, by line and by chain of coroutines.
std::vector<AwaitStats> SumAwaits(const profile::Profile& profile, const FrameTable& frames);

// What held event loops up, by line.
std::vector<LoopBlockStats> SumLoopBlocks(const profile::Profile& profile,
                                          const FrameTable& frames);

}  // namespace pyrometer::analyze
