// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/report/breakdown.h"
#include "analyze/stacks/process_rows.h"
#include "analyze/stacks/stack_kinds.h"
#include "analyze/stacks/stack_walk.h"
#include "base/grouped_rows.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The time that each stack has by itself, in one process or in all.
//
// What it is made from must outlive it. Thread-safety: immutable after construction.
class StackTimes {
 public:
  // Of `rows`, whose stacks are all in `walk`. Waits of `main_thread` are those that the user sits
  // through.
  StackTimes(const profile::Profile& profile, const StackKinds& kinds, const StackWalk& walk,
             const TimedRows& rows, std::optional<size_t> main_thread);

  // Whether a stack has any, by its number in the walk.
  const std::vector<bool>& used() const { return used_; }
  // Adds what the stack of that number has to `time`, which is empty.
  void Fill(uint32_t number, Breakdown* time) const;

 private:
  const profile::Profile& profile_;
  const StackKinds& kinds_;
  const StackWalk& walk_;
  const std::optional<size_t> main_thread_;
  // By number in the walk.
  const base::GroupedValues<uint32_t> samples_, awaits_, amounts_;
  std::vector<bool> used_;
};

}  // namespace pyrometer::analyze
