// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

// The C activations of the eval loop that a walk passes, youngest first. Each
// leaves a mark on the C stack: a _PyCFrame on 3.11 and 3.12, a shim frame from
// 3.12. The marks lie above the thread's stack pointer and further up towards
// the root. On 3.11 and 3.12 an activation also becomes visible a few
// instructions before it stores its frame, so its word is checked against the
// activation that it was called from: the caller of its entry frame must be
// the frame that the calling activation runs.
//
// Lives on the stack of one walk. Signal-safety: async-signal-safe if the
// reader is.
template <MemoryReader R>
class ActivationChain {
 public:
  ActivationChain(const Layout& layout, const R& reader, uint64_t stack_pointer)
      : layout_(layout), reader_(reader), low_(stack_pointer) {}

  // Sets `*leaf` to the frame that the thread runs, 0 if none.
  bool Open(uint64_t tstate, uint64_t* leaf) {
    if (!ReadValue(reader_, tstate + layout_.thread.frame, leaf)) return false;
    if (!has_cframes()) return true;
    root_ = tstate + layout_.thread.root_cframe;
    cframe_ = *leaf;
    return ReadCFrame(cframe_, leaf, &previous_);
  }

  // Address of the current _PyCFrame, 0 where there are none.
  uint64_t current() const { return cframe_; }

  // The walk left an activation through its shim at `shim` towards `caller`.
  bool EnterThroughShim(uint64_t shim, uint64_t caller) {
    // Both marks of one activation lie in one C frame.
    constexpr uint64_t kMaxEvalFrame = 16 << 10;
    if (has_cframes()) {
      const uint64_t distance = shim > cframe_ ? shim - cframe_ : cframe_ - shim;
      return distance < kMaxEvalFrame && Climb(shim < cframe_ ? shim : cframe_) && Caller(caller);
    }
    return Climb(shim);
  }

  // The walk left an activation through its entry frame towards `caller` (3.11).
  bool Leave(uint64_t caller) { return Climb(cframe_) && Caller(caller); }

  // Call when the chain of frames has ended. Whether nothing but activations
  // without frames lie between there and the thread's root; a greenlet starts
  // with one of those.
  bool Close() {
    constexpr int kMaxEmpty = 8;
    if (!has_cframes()) return true;
    for (int i = 0; cframe_ != root_; ++i) {
      if (i == kMaxEmpty || !Climb(cframe_) || !Caller(0)) return false;
    }
    return true;
  }

 private:
  static constexpr uint64_t kMaxStack = uint64_t{1} << 30;

  bool has_cframes() const { return layout_.cframe.previous != kAbsent; }

  bool ReadCFrame(uint64_t cframe, uint64_t* frame, uint64_t* previous) const {
    return cframe != 0 && cframe % 8 == 0 &&
           ReadValue(reader_, cframe + layout_.cframe.current_frame, frame) &&
           ReadValue(reader_, cframe + layout_.cframe.previous, previous);
  }

  bool Climb(uint64_t mark) {
    if (mark % 8 != 0 || mark <= low_ || (low_ != 0 && mark - low_ > kMaxStack)) return false;
    low_ = mark;
    return true;
  }

  bool Caller(uint64_t caller) {
    uint64_t frame = 0;
    cframe_ = previous_;
    return ReadCFrame(cframe_, &frame, &previous_) && frame == caller;
  }

  const Layout& layout_;
  const R& reader_;
  uint64_t low_;  // the next mark must lie above
  uint64_t root_ = 0;
  uint64_t cframe_ = 0;
  uint64_t previous_ = 0;
};

// For a stack that stands still: its activations may not be in memory.
class NoActivations {
 public:
  static uint64_t current() { return 0; }
  static bool EnterThroughShim(uint64_t, uint64_t) { return false; }
  static bool Leave(uint64_t) { return true; }
  static bool Close() { return true; }
};

}  // namespace pyrometer::cpython
