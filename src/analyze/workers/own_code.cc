// SPDX-License-Identifier: Apache-2.0
#include "analyze/workers/own_code.h"

#include <string_view>

namespace pyrometer::analyze {
namespace {

// What multiprocessing, concurrent.futures and loky run first in each process that they
// start. Before 3.11 code objects have no qualified name.
bool IsProcessRootOf(const FrameTable& frames, const FrameTable::Spot& spot) {
  const FrameTable::Function& function = frames.functions()[spot.function];
  return std::string_view(function.name).ends_with("_bootstrap") &&
         std::string_view(frames.files()[function.file].path)
             .ends_with("/multiprocessing/process.py");
}

}  // namespace

OwnCode::OwnCode(const profile::Profile& profile, const FrameTable& frames)
    : stacks_(profile.stacks.size()) {
  std::vector<bool> is_root(frames.spots().size());
  for (size_t i = 0; i < is_root.size(); ++i)
    is_root[i] = IsProcessRootOf(frames, frames.spots()[i]);
  // A caller has a lower id than what it calls.
  for (uint32_t i = 1; i < stacks_.size(); ++i) {
    const auto& [parent, frame] = profile.stacks[i];
    Stack& stack = stacks_[i] = stacks_[parent.value];
    stack.process_root = false;
    if (!frames.IsPython(frame)) continue;
    const uint32_t spot = frames.SpotOf(frame);
    stack.python = format::StackId(i);
    stack.ends_in_own = frames.InScope(frames.spots()[spot]);
    stack.process_root = is_root[spot];
    if (stack.ends_in_own) stack.spot = spot;
    if (stack.process_root) stack.spot = kNone;
  }
}

}  // namespace pyrometer::analyze
