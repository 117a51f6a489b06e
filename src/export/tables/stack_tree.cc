// SPDX-License-Identifier: Apache-2.0
#include "export/tables/stack_tree.h"

#include "base/pair_index.h"

namespace pyrometer::export_ {

StackTree::StackTree(const profile::Profile& profile, const ResolvedFrames& frames,
                     const analyze::StackKinds& kinds)
    : node_of_(profile.stacks.size()) {
  base::PairIndex children(profile.stacks.size());
  const auto add = [&](uint32_t parent, uint32_t frame, uint8_t flags) {
    parents_.push_back(parent);
    frames_.push_back(frame);
    flags_.push_back(flags);
  };
  add(0, 0, 0);
  for (uint32_t i = 1; i < profile.stacks.size(); ++i) {
    const format::StackInfo& stack = profile.stacks[i];
    uint32_t node = node_of_[stack.parent.value];
    for (const uint32_t frame : frames.Of(stack.frame)) {
      // Node 0 is nobody's child.
      const uint32_t child = children.Number(node, frame) + 1;
      if (child == size()) add(node, frame, flags_[node]);
      node = child;
    }
    const format::StackId id(i);
    // Equal paths are of one kind, so this never differs between two stacks.
    if (kinds.InGc(id)) flags_[node] |= kInGc;
    if (kinds.InImport(id)) flags_[node] |= kInImport;
    if (kinds.InWorker(id)) flags_[node] |= kInWorker;
    node_of_[i] = node;
  }
}

}  // namespace pyrometer::export_
