// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cpython/awaitable.h"
#include "cpython/frame_walk.h"
#include "cpython/layout.h"
#include "cpython/memory_reader.h"
#include "cpython/object_layout.h"
#include "cpython/suspended_frame.h"

namespace pyrometer::cpython {

enum class AwaitOutcome : uint8_t {
  kComplete,   // every frame
  kTruncated,  // innermost and outermost frames, `omitted` left out between them
  kRunning,    // the coroutine runs: its frames are on a thread's stack
  kNoFrames,   // finished, or no coroutine of CPython
  kTorn,       // the memory contradicts itself; nothing may be used
};

struct AwaitChain {
  AwaitOutcome outcome = AwaitOutcome::kTorn;
  uint32_t count = 0;    // frames written
  uint32_t omitted = 0;  // kTruncated only
  // What the innermost frame waits for when that has no frame: a future, a
  // task, any other awaitable; 0 after a plain yield.
  uint64_t awaited = 0;
  uint64_t fingerprint = 0;  // of all frames, their instructions and `awaited`
};

// One pass along a chain, outermost frame first. Lives on the stack of a walk.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
class AwaitPass {
 public:
  AwaitPass(const Layout& layout, const ObjectLayout& objects, const R& reader)
      : layout_(layout), objects_(objects), reader_(reader), frames_(layout, objects, reader) {}

  // Calls `visit(position, frame)` for each frame. Sets the outcome (kComplete
  // for a sound chain), awaited, fingerprint and count of the result.
  template <class V>
  AwaitChain Run(uint64_t coroutine, const V& visit) const {
    AwaitChain chain;
    uint64_t object = coroutine;
    uint64_t mix = 0x9e3779b97f4a7c15;
    for (uint32_t depth = 0;; ++depth) {
      const Awaitable next = Unwrap(layout_, objects_, reader_, object);
      if (depth == kMaxAwaits || next.kind == Awaitable::kTorn) return {};
      if (next.kind != Awaitable::kGenerator) {
        if (depth == 0) return {.outcome = AwaitOutcome::kNoFrames};
        if (next.kind == Awaitable::kOther) return {};
        chain.awaited = next.object;
        break;
      }
      const SuspendedFrame suspended = frames_.Read(next.object);
      if (suspended.state != SuspendedState::kSuspended) {
        // Behind a suspended frame nothing runs and nothing has finished.
        return {.outcome = depth != 0 ? AwaitOutcome::kTorn : Ended(suspended.state)};
      }
      visit(depth, suspended.frame);
      for (const uint64_t part : {next.object, suspended.frame.code,
                                  uint64_t{suspended.frame.instruction}, suspended.delegate}) {
        mix = (mix ^ part) * 0xff51afd7ed558ccd;
        mix ^= mix >> 32;
      }
      ++chain.count;
      if (suspended.delegate == 0) break;
      object = suspended.delegate;
    }
    chain.outcome = AwaitOutcome::kComplete;
    chain.fingerprint = (mix ^ chain.awaited) * 0xff51afd7ed558ccd;
    return chain;
  }

 private:
  static constexpr uint32_t kMaxAwaits = 1 << 16;

  static AwaitOutcome Ended(SuspendedState state) {
    return state == SuspendedState::kExecuting  ? AwaitOutcome::kRunning
           : state == SuspendedState::kFinished ? AwaitOutcome::kNoFrames
                                                : AwaitOutcome::kTorn;
  }

  const Layout& layout_;
  const ObjectLayout& objects_;
  const R& reader_;
  SuspendedFrameReader<R> frames_;
};

// Walks the frames of the suspended coroutine at `coroutine`, innermost first,
// into `out`: the coroutine, what it awaits, and so on through generators,
// asynchronous generators and their wrappers.
//
// The program may run meanwhile, and then the frames may be of different
// instants. A chain is sound once ConfirmTask has seen it again.
// Signal-safety: async-signal-safe if the reader is. Uses < 1 KiB of stack.
template <MemoryReader R>
AwaitChain WalkAwaits(const Layout& layout, const ObjectLayout& objects, const R& reader,
                      uint64_t coroutine, std::span<PythonFrame> out) {
  const AwaitPass<R> pass(layout, objects, reader);
  const auto room = static_cast<uint32_t>(out.size());
  AwaitChain chain = pass.Run(coroutine, [&](uint32_t position, const PythonFrame& frame) {
    if (position < room) out[position] = frame;
  });
  if (chain.outcome != AwaitOutcome::kComplete) return chain;
  if (chain.count <= room) {
    std::reverse(out.begin(), out.begin() + chain.count);
    return chain;
  }
  // Deeper than the room: now that the depth is known, once more.
  const uint32_t total = chain.count;
  const uint32_t outer = std::min<uint32_t>(kRootFramesKept, room / 2);
  const uint32_t inner = room - outer;
  const AwaitChain again = pass.Run(coroutine, [&](uint32_t position, const PythonFrame& frame) {
    if (position >= total) return;
    if (position < outer) out[room - 1 - position] = frame;
    if (position >= total - inner) out[total - 1 - position] = frame;
  });
  if (again.fingerprint != chain.fingerprint || again.count != total) return {};
  chain.outcome = AwaitOutcome::kTruncated;
  chain.count = room;
  chain.omitted = total - room;
  return chain;
}

// Whether the frames of `coroutine` still stand where `chain` saw them. The part
// of ConfirmTask that knows nothing of tasks; see there.
template <MemoryReader R>
bool ConfirmAwaits(const Layout& layout, const ObjectLayout& objects, const R& reader,
                   uint64_t coroutine, const AwaitChain& chain) {
  const AwaitPass<R> pass(layout, objects, reader);
  const AwaitChain again = pass.Run(coroutine, [](uint32_t, const PythonFrame&) {});
  return again.outcome == AwaitOutcome::kComplete && again.fingerprint == chain.fingerprint;
}

}  // namespace pyrometer::cpython
