// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pair_index.h"
#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// Stacks of files that name frames by their number in a list, which may come later.
//
// Thread-safety: none; one owner.
class PathTree {
 public:
  static constexpr uint32_t kRoot = 0;

  explicit PathTree(ProfileMaker& maker) : maker_(maker) {}

  // What `caller` calls.
  uint32_t Child(uint32_t caller, uint32_t frame);
  uint32_t ParentOf(uint32_t node) const { return nodes_[node].parent; }

  // The stack of each node. A frame that is not in the list is lost, and counted.
  std::vector<format::StackId> Stacks(std::span<const format::FrameId> frames) const;

 private:
  struct Node {
    uint32_t parent = 0;
    uint32_t frame = 0;
  };

  ProfileMaker& maker_;
  base::PairIndex index_;       // parent and frame; the number + 1 is the node
  std::vector<Node> nodes_{1};  // parents come first
};

}  // namespace pyrometer::import_
