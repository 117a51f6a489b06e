// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "export/stack_tree.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The samples of a page's data. Up to `most` they are those of the capture;
// beyond that, neighbours of one thread that agree in all but their time are one.
//
// Thread-safety: immutable after construction.
class PageSamples {
 public:
  static constexpr size_t kMostUnmerged = 2'000'000;

  PageSamples(const profile::Profile& profile, const StackTree& stacks,
              size_t most = kMostUnmerged);

  size_t size() const { return time_ns.size(); }

  std::vector<uint64_t> time_ns;
  std::vector<uint32_t> thread;
  std::vector<uint32_t> stack;
  std::vector<uint8_t> activity;
  std::vector<uint64_t> weight_ns;
  std::vector<uint64_t> count;
  std::vector<uint32_t> task;  // index + 1
};

}  // namespace pyrometer::export_
