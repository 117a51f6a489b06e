// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "profile/profile.h"

namespace pyrometer::analyze {

// The stacks of a profile, or some with all their callers, as the tree that they are, callers above
// what they call. They have numbers without gaps, callers lower ones than what they call; the
// empty stack has 0. A walk meets each once, however many samples and ancestors it has.
//
// Keeps a reference to the profile. Thread-safety: immutable after construction.
class StackWalk {
 public:
  // All of them: their numbers are their ids.
  explicit StackWalk(const profile::Profile& profile)
      : profile_(profile),
        first_(std::max<size_t>(profile.stacks.size(), 1)),
        next_(first_.size()) {
    Link();
  }
  // `stacks`, which may be there several times, and their callers. What it takes goes by how many
  // these are, not by how many the profile has.
  StackWalk(const profile::Profile& profile, const std::vector<format::StackId>& stacks)
      : profile_(profile) {
    std::unordered_set<uint32_t> known{format::kEmptyStack.value};
    for (format::StackId stack : stacks)
      for (; known.insert(stack.value).second; stack = profile.stacks[stack.value].parent) {
      }
    some_.assign(known.begin(), known.end());
    std::ranges::sort(some_);
    first_.resize(some_.size());
    next_.resize(some_.size());
    Link();
  }

  size_t size() const { return first_.size(); }
  format::StackId StackOf(uint32_t number) const {
    return format::StackId(some_.empty() ? number : some_[number]);
  }
  // REQUIRES: it is one of them.
  uint32_t NumberOf(format::StackId stack) const {
    if (some_.empty()) return stack.value;
    return static_cast<uint32_t>(std::ranges::lower_bound(some_, stack.value) - some_.begin());
  }

  // `enter` and `leave` of the number of each stack that is used, or that a used one hangs below,
  // depth first; the empty stack is around all others.
  template <class Enter, class Leave>
  void Walk(std::vector<bool> used, Enter enter, Leave leave) const {
    for (uint32_t i = static_cast<uint32_t>(used.size()); i-- > 1;)
      if (used[i]) used[CallerOf(i)] = true;
    enter(uint32_t{0});
    uint32_t at = 0;
    uint32_t child = first_[0];
    while (true) {
      while (child != 0 && !used[child]) child = next_[child];
      if (child != 0) {
        at = child;
        enter(at);
        child = first_[at];
        continue;
      }
      leave(at);
      if (at == 0) return;
      child = next_[at];
      at = CallerOf(at);
    }
  }

 private:
  uint32_t CallerOf(uint32_t number) const {
    return NumberOf(profile_.stacks[StackOf(number).value].parent);
  }
  void Link() {
    for (uint32_t i = static_cast<uint32_t>(first_.size()); i-- > 1;) {
      uint32_t& first = first_[CallerOf(i)];
      next_[i] = first;
      first = i;
    }
  }

  const profile::Profile& profile_;
  std::vector<uint32_t> some_;  // ids by number; empty: all stacks
  // The lowest child, and the sibling with the next higher number; 0: none, because the empty
  // stack is nobody's child.
  std::vector<uint32_t> first_, next_;
};

}  // namespace pyrometer::analyze
