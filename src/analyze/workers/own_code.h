// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/code/frame_table.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Where each stack of a profile is in the user's code by its own doing. A process that
// multiprocessing has forked still has the frames of its parent under it: what was the
// parent's line is not its own.
//
// Thread-safety: immutable after construction.
class OwnCode {
 public:
  OwnCode(const profile::Profile& profile, const FrameTable& frames);

  // The innermost line of the user's code.
  std::optional<uint32_t> Spot(format::StackId stack) const {
    const uint32_t spot = stacks_[stack.value].spot;
    return spot == kNone ? std::nullopt : std::optional(spot);
  }
  // The stack up to its innermost Python frame, which is the empty one where it has none.
  format::StackId Python(format::StackId stack) const { return stacks_[stack.value].python; }
  // Whether that frame is of the user's code.
  bool EndsInOwn(format::StackId stack) const { return stacks_[stack.value].ends_in_own; }
  // Whether the frame of `stack` is the first one of a process's own.
  bool IsProcessRoot(format::StackId stack) const { return stacks_[stack.value].process_root; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;
  struct Stack {
    uint32_t spot = kNone;
    format::StackId python{};
    bool ends_in_own = false;
    bool process_root = false;
  };

  std::vector<Stack> stacks_;  // by StackId
};

}  // namespace pyrometer::analyze
