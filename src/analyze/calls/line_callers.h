// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analyze/code/frame_table.h"
#include "analyze/report/report.h"
#include "analyze/stacks/stack_amounts.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// From where each of `lines` of `view` is mostly called, in their order: of the
// chains of callers in scope, the one with most of `amounts`. Recursion is
// folded. `profiled_only` as for ViewBuilder.
std::vector<LineCallers> FindCallers(const profile::Profile& profile, const FrameTable& frames,
                                     std::span<const StackAmount> amounts, const View& view,
                                     std::span<const LineRef> lines, bool profiled_only);

}  // namespace pyrometer::analyze
