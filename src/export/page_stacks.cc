// SPDX-License-Identifier: Apache-2.0
#include "export/page_stacks.h"

#include <bit>

namespace pyrometer::export_ {

// Finds nodes by parent and frame: open addressing, because a million look-ups
// in std::unordered_map take most of a second.
class PageStacks::NodeIndex {
 public:
  explicit NodeIndex(size_t expected) : slots_(std::bit_ceil(2 * expected + 16)) {}

  // The number of the node, which is `next` if there was none.
  uint32_t Find(uint32_t parent, uint32_t frame, uint32_t next) {
    if (used_ * 2 > slots_.size()) Grow();
    const uint64_t key = uint64_t{parent} << 32 | frame;
    Slot& slot = SlotOf(key);
    if (slot.node == 0) {
      slot = {key, next};
      ++used_;
    }
    return slot.node;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t node = 0;  // 0, the empty stack, is nobody's child: free
  };

  Slot& SlotOf(uint64_t key) {
    // Multiplication spreads the low bits upwards, so the high ones are taken.
    const int bits = std::countr_zero(slots_.size());
    size_t at = (key * 0x9e3779b97f4a7c15) >> (64 - bits);
    while (slots_[at].node != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.node != 0) SlotOf(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

PageStacks::PageStacks(const profile::Profile& profile, const PageFrames& frames,
                       const analyze::StackKinds& kinds)
    : node_of_(profile.stacks.size()) {
  NodeIndex index(profile.stacks.size());
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
      const uint32_t child = index.Find(node, frame, static_cast<uint32_t>(size()));
      if (child == size()) add(node, frame, flags_[node]);
      node = child;
    }
    const format::StackId id(i);
    // Equal paths are of one kind, so this never differs between two stacks.
    if (kinds.InGc(id)) flags_[node] |= kInGc;
    if (kinds.InImport(id)) flags_[node] |= kInImport;
    node_of_[i] = node;
  }
}

}  // namespace pyrometer::export_
