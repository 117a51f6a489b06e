// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/stacks/stack_kinds.h"
#include "export/tables/resolved_frames.h"
#include "profile/profile.h"

namespace pyrometer::export_ {

// The stacks of a capture in terms of resolved frames: a tree whose nodes are
// numbered anew, because a frame there can be several here, and several one.
//
// Invariants: node 0 is the empty stack; parents()[i] < i for i > 0; no two nodes
// have the same parent and frame.
// Thread-safety: immutable after construction.
class StackTree {
 public:
  static constexpr uint8_t kInGc = 1;
  static constexpr uint8_t kInImport = 2;
  static constexpr uint8_t kInWorker = 4;

  StackTree(const profile::Profile& profile, const ResolvedFrames& frames,
            const analyze::StackKinds& kinds);

  // The node of a stack of the capture.
  uint32_t Of(format::StackId stack) const { return node_of_[stack.value]; }
  // The node of stacks[i], for who asks for them one after the other: nodes of a million
  // stacks do not fit the cache, but it is known which come next.
  uint32_t OfNext(std::span<const format::StackId> stacks, size_t i) const {
    constexpr size_t kAhead = 32;
    if (i + kAhead < stacks.size()) __builtin_prefetch(&node_of_[stacks[i + kAhead].value]);
    return Of(stacks[i]);
  }

  size_t size() const { return parents_.size(); }
  const std::vector<uint32_t>& parents() const { return parents_; }
  const std::vector<uint32_t>& frames() const { return frames_; }
  const std::vector<uint8_t>& flags() const { return flags_; }

 private:
  std::vector<uint32_t> node_of_;  // by StackId
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> frames_;
  std::vector<uint8_t> flags_;
};

}  // namespace pyrometer::export_
