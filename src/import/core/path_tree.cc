// SPDX-License-Identifier: Apache-2.0
#include "import/core/path_tree.h"

namespace pyrometer::import_ {

uint32_t PathTree::Child(uint32_t caller, uint32_t frame) {
  const uint32_t known = index_.size();
  const uint32_t number = index_.Number(caller, frame);
  if (number == known) {
    nodes_.push_back({caller, frame});
    constexpr size_t kNodeBytes = 48;
    maker_.Charge(kNodeBytes);
  }
  return number + 1;
}

std::vector<format::StackId> PathTree::Stacks(std::span<const format::FrameId> frames) const {
  std::vector<format::StackId> stacks(nodes_.size());
  for (size_t i = 1; i < nodes_.size(); ++i) {
    const auto [parent, frame] = nodes_[i];
    if (frame < frames.size()) {
      stacks[i] = maker_.Stack(stacks[parent], frames[frame]);
    } else {
      maker_.AddLoss("frames that the file does not have");
      stacks[i] = stacks[parent];
    }
  }
  return stacks;
}

}  // namespace pyrometer::import_
