// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer::analyze {

// The stacks of a profile as the tree that they are, callers above what they call. A walk meets
// each once, however many samples and ancestors it has.
//
// Keeps a reference to the profile. Thread-safety: immutable after construction.
class StackWalk {
 public:
  explicit StackWalk(const profile::Profile& profile)
      : profile_(profile),
        first_(std::max<size_t>(profile.stacks.size(), 1)),
        next_(first_.size()) {
    for (size_t i = first_.size(); i-- > 1;) {
      uint32_t& first = first_[profile.stacks[i].parent.value];
      next_[i] = first;
      first = static_cast<uint32_t>(i);
    }
  }

  // `enter` and `leave` of each stack that is used, or that a used one hangs below, depth first;
  // the empty stack is around all others.
  template <class Enter, class Leave>
  void Walk(std::vector<bool> used, Enter enter, Leave leave) const {
    used.resize(first_.size());
    for (size_t i = used.size(); i-- > 1;)
      if (used[i]) used[profile_.stacks[i].parent.value] = true;
    enter(format::kEmptyStack);
    uint32_t at = 0;
    uint32_t child = first_[0];
    while (true) {
      while (child != 0 && !used[child]) child = next_[child];
      if (child != 0) {
        at = child;
        enter(format::StackId(at));
        child = first_[at];
        continue;
      }
      leave(format::StackId(at));
      if (at == 0) return;
      child = next_[at];
      at = profile_.stacks[at].parent.value;
    }
  }

 private:
  const profile::Profile& profile_;
  // The lowest child, and the sibling with the next higher number; 0: none, because the empty
  // stack is nobody's child.
  std::vector<uint32_t> first_, next_;
};

}  // namespace pyrometer::analyze
