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
  if (layout.frame.owner == kAbsent) return WalkObjectFrames(layout, reader, source, tstate, out);
  return InterpreterFrameWalk<R, S>(layout, reader, source, tstate, stack_pointer, out).Run();
}

template <MemoryReader R>
WalkResult WalkFrames(const Layout& layout, const R& reader, uint64_t tstate,
                      uint64_t stack_pointer, std::span<PythonFrame> out) {
  return WalkFrames(layout, reader, FreshExtents<R>(layout, reader), tstate, stack_pointer, out);
}

}  // namespace pyrometer::cpython
