// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpython/frame_walk.h"
#include "cpython/interpreter_frame_walk.h"
#include "cpython/object_frame_walk.h"

namespace pyrometer::cpython {

template <MemoryReader R, ExtentSource S>
WalkResult WalkFrames(const Layout& layout, const R& reader, const S& source, uint64_t tstate,
                      uint64_t stack_pointer, std::span<PythonFrame> out) {
  if (tstate == 0 || tstate % 8 != 0) return {};
  if (layout.frame.owner == kAbsent) {
    uint64_t leaf = 0;
    if (!ReadValue(reader, tstate + layout.thread.frame, &leaf)) return {};
    return WalkObjectFrames(layout, reader, source, leaf, true, out);
  }
  return InterpreterFrameWalk(layout, reader, source,
                              ActivationChain<R>(layout, reader, stack_pointer),
                              DataStack<R, S>(layout, reader, source), out)
      .Run(tstate);
}

template <MemoryReader R>
WalkResult WalkFrames(const Layout& layout, const R& reader, uint64_t tstate,
                      uint64_t stack_pointer, std::span<PythonFrame> out) {
  return WalkFrames(layout, reader, FreshExtents<R>(layout, reader), tstate, stack_pointer, out);
}

template <MemoryReader R, ExtentSource S>
WalkResult WalkStoppedFrames(const Layout& layout, const R& reader, const S& source,
                             const StoppedStack& stack, std::span<PythonFrame> out) {
  if (layout.frame.owner == kAbsent)
    return WalkObjectFrames(layout, reader, source, stack.frame, false, out);
  using Data = DataStack<R, S>;
  return InterpreterFrameWalk(layout, reader, source, NoActivations(),
                              Data(layout, reader, source, Data::Of::kStoppedStack), out)
      .RunStopped(stack);
}

}  // namespace pyrometer::cpython
