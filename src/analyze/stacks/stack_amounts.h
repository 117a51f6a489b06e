// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analyze/memory/memory_history.h"
#include "analyze/report/call_tree.h"
#include "analyze/stacks/stack_kinds.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// How much of a metric one stack of one thread has.
struct StackAmount {
  std::optional<format::ThreadId> thread;  // empty: tasks that wait
  format::StackId stack;
  CallAmount amount;
};

// All that a profile has of `metric`, one entry for each thread and stack, in
// their order. `main_thread` is the one whose waits are those of the main thread.
std::vector<StackAmount> AmountsOf(metric::Metric metric, const profile::Profile& profile,
                                   const StackKinds& kinds, const MemoryHistory& history,
                                   std::optional<size_t> main_thread);

}  // namespace pyrometer::analyze
