// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/report/breakdown.h"
#include "analyze/stacks/stack_kinds.h"
#include "base/grouped_rows.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// The time that each stack has by itself, in one process or in all.
//
// What it is made from must outlive it. Thread-safety: immutable after construction.
class StackTimes {
 public:
  // `process`: empty for all. Waits of `main_thread` are those that the user sits through.
  StackTimes(const profile::Profile& profile, const StackKinds& kinds,
             std::optional<size_t> process, std::optional<size_t> main_thread);

  // Whether a stack has any, by StackId.
  const std::vector<bool>& used() const { return used_; }
  // Adds what the stack has to `time`, which is empty.
  void Fill(format::StackId stack, Breakdown* time) const;

 private:
  const profile::Profile& profile_;
  const StackKinds& kinds_;
  const std::optional<size_t> main_thread_;
  // By stack; a group behind the last has those of other processes.
  const base::GroupedRows samples_, awaits_, amounts_;
  std::vector<bool> used_;
};

}  // namespace pyrometer::analyze
