// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/code_extent.h"
#include "cpython/frame_walk.h"
#include "cpython/greenlet_reader.h"
#include "cpython/greenlet_thread.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// Walks on where the stack of a thread ends at the first function of a greenlet: the
// frames of its parent, which goes on when the greenlet ends, then those of the
// parent's parent, down to the main greenlet. `own` are the thread's frames as
// walked, `stack_pointer` and `stack_end` its C stack. `settled`: no switch goes on, or it
// is known that the current greenlet is the one that has this C stack.
//
// kNoFrames: there are none; mostly because the main greenlet runs. kTorn: a greenlet does
// not prove itself, there is no room, or a switch has gone so far that the thread's frames
// are not those of its current greenlet. Either way nothing may be used.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R, ExtentSource S>
WalkResult WalkParentGreenlets(const Layout& layout, const R& reader, const S& source,
                               const GreenletThread& thread, uint64_t stack_pointer,
                               uint64_t stack_end, bool settled, std::span<const PythonFrame> own,
                               std::span<PythonFrame> out) {
  constexpr int kMaxParents = 256;
  const GreenletReader<R> read(layout, reader, thread);
  uint64_t greenlet = read.Holds() ? read.Current(stack_pointer, stack_end) : 0;
  if (greenlet == 0) return {WalkOutcome::kNoFrames, 0, 0};
  const uint64_t leaf = own.empty() ? 0 : own[0].frame;
  StoppedStack stack;
  if (!read.Stack(greenlet, &stack)) return {};
  // When its frame is saved already, that must be the thread's. A greenlet without Python
  // frames has none to save, and what the thread has may be the next one's.
  const bool is_left = stack.frame != 0;
  if (is_left ? stack.frame != leaf : !settled) return {};
  uint32_t count = 0;
  for (int i = 0; greenlet != thread.main; ++i) {
    greenlet = read.Parent(greenlet);
    if (i == kMaxParents || greenlet == 0 || !read.Stack(greenlet, &stack)) return {};
    if (stack.frame == 0) {
      // It may be the one that is switched to: its frame is taken from it before the thread has it.
      if (is_left && read.HasStack(greenlet)) return {};
      continue;
    }
    // A switch from a greenlet without Python frames has made the parent's the thread's.
    if (stack.frame == leaf) return {};
    const WalkResult walk = WalkStoppedFrames(layout, reader, source, stack, out.subspan(count));
    if (walk.outcome != WalkOutcome::kComplete) return {};
    count += walk.count;
  }
  return {count != 0 ? WalkOutcome::kComplete : WalkOutcome::kNoFrames, count, 0};
}

}  // namespace pyrometer::cpython
