// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/tables/stack_tree.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The samples of a page's data, added up: one row for all of a stack, thread and activity,
// in order of stacks. Most of what a page shows does not ask when something was.
//
// Thread-safety: immutable after construction.
class PageSums {
 public:
  PageSums(const profile::Profile& profile, const StackTree& stacks);

  std::vector<uint32_t> thread;
  std::vector<uint32_t> stack;
  std::vector<uint8_t> activity;
  std::vector<uint64_t> weight_ns;
  std::vector<uint64_t> count;
};

}  // namespace pyrometer::export_
