// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/code_extent.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

inline constexpr uint32_t kBeforeFirstInstruction = 0xffffffff;
// Root-most frames kept when a stack is deeper than the room for it.
inline constexpr uint32_t kRootFramesKept = 64;

// One Python frame of a walked stack.
struct PythonFrame {
  uint64_t code = 0;         // address of the code object
  uint64_t frame = 0;        // address of the frame
  uint64_t generator = 0;    // generator or coroutine object that owns the frame, 0 if none
  uint64_t anchor = 0;       // entry frames: address on the C stack inside the eval activation
  uint32_t instruction = 0;  // byte offset in the bytecode, or kBeforeFirstInstruction
  uint8_t opcode = 0;        // leaf: raw byte at the instruction, 0 before the first; callers: 0
  bool entry = false;        // entered by a new C activation of the eval loop
};

enum class WalkOutcome : uint8_t {
  kComplete,   // every frame down to the root
  kTruncated,  // leaf-most and root-most frames, `omitted` left out between them
  kNoFrames,   // the thread runs no Python code
  kTorn,       // the memory contradicts itself; nothing may be used
};

struct WalkResult {
  WalkOutcome outcome = WalkOutcome::kTorn;
  uint32_t count = 0;    // frames written
  uint32_t omitted = 0;  // frames left out, kTruncated only
};

// Walks the Python stack of thread state `tstate`, leaf first, into `out`.
// `stack_pointer` is that thread's stack pointer, 0 if unknown.
//
// The thread may be stopped between any two instructions (a signal handler on
// the thread itself), or even be running (a remote reader): the chain is
// accepted only if it satisfies the structural invariants in README.md, down
// to the root. Frames that CPython itself hides (shims, functions before their
// first traceable instruction) are checked but not reported.
//
// Signal-safety: async-signal-safe if the reader is. Uses < 1 KiB of stack.
template <MemoryReader R>
WalkResult WalkFrames(const Layout& layout, const R& reader, uint64_t tstate,
                      uint64_t stack_pointer, std::span<PythonFrame> out);

// The same with extents from `source`, which may remember them from earlier
// walks. What it remembers of a code object that is gone can make a walk torn;
// it never makes it read that object's memory.
template <MemoryReader R, ExtentSource S>
WalkResult WalkFrames(const Layout& layout, const R& reader, const S& source, uint64_t tstate,
                      uint64_t stack_pointer, std::span<PythonFrame> out);

// Where a stack of Python frames stands that no thread runs at the moment, but
// whose frames are in the middle of a call all the same: a greenlet's.
struct StoppedStack {
  uint64_t frame = 0;  // the youngest: a frame object up to 3.10, then an interpreter frame
  uint64_t chunk = 0;  // of its data stack, 3.11+
  uint64_t top = 0;    // of that chunk
};

// The same for a stack that stands still. Its frames must be linked without the
// shims between them, which lie on a C stack that may be gone.
template <MemoryReader R, ExtentSource S>
WalkResult WalkStoppedFrames(const Layout& layout, const R& reader, const S& source,
                             const StoppedStack& stack, std::span<PythonFrame> out);

}  // namespace pyrometer::cpython

#include "cpython/frame_walk_impl.h"  // IWYU pragma: keep
