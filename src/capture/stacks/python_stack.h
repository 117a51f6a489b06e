// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "capture/stacks/code_cache.h"
#include "capture/stacks/stack_table.h"
#include "cpython/frame_walk.h"

namespace pyrometer::capture {

// The stack of frames that were read from outside, innermost first, of which
// `omitted` were left out above the kRootFramesKept outermost. Empty when one
// has no code object (any more).
template <cpython::MemoryReader R>
std::optional<format::StackId> NamePythonStack(CodeCache& codes, StackTable& stacks,
                                               const R& reader,
                                               std::span<const cpython::PythonFrame> frames,
                                               uint32_t omitted) {
  format::StackId stack = format::kEmptyStack;
  for (size_t i = frames.size(); i-- > 0;) {
    if (omitted != 0 && i + 1 + cpython::kRootFramesKept == frames.size())
      stack = stacks.Stack(stack, stacks.SpecialFrame("<frames left out>"));
    const auto frame = codes.FrameOf(reader, frames[i].code, frames[i].instruction);
    if (!frame) return std::nullopt;
    stack = stacks.Stack(stack, *frame);
  }
  return stack;
}

}  // namespace pyrometer::capture
