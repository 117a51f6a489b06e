// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/frame_walk.h"
#include "cpython/layout.h"
#include "sigsafe/local_reader.h"
#include "unwind/stack_walker.h"

namespace pyrometer::agent {

// The last few stacks on which a thread has asked for memory. A program mostly asks again on one
// of them, and to see that takes a hundredth of what a walk does.
//
// A stack is remembered as the words in memory that a walk has found it by: each Python frame's
// code, instruction and caller, what tells its code object from a later one at the same address,
// and each return address. It is the same stack when all of them are as they were. Words are
// compared from the thread state on towards the root, so each is read through one that still
// holds: a frame that a live one names as its caller is in memory, and so is its code.
//
// Words of 4 bytes have an odd address here. Zeroed memory has seen nothing.
//
// Ownership: the engine's part of a thread's record. Context: the thread itself, inside a call (not
// a handler), while the interpreter is not being torn down. Signal-safety: never allocates, never
// locks.
class SeenStacks {
 public:
  static constexpr size_t kStacks = 8;
  static constexpr size_t kMaxWords = 512;

  // The number of the stack that is the same as the current one; 0: none is. `frame`: where on
  // the native stack the caller of this stands. `tstate`: the thread state, 0 if there is none.
  // `generation`: of loaded code.
  uint32_t Find(uint64_t frame, uint64_t tstate, uint32_t generation) const {
    if (generation != generation_) return 0;
    for (uint32_t i = 0; i < kStacks; ++i)
      if (frames_[i] == frame && tstates_[i] == tstate && Holds(i)) return i + 1;
    return 0;
  }

  // Takes in the stack that was just walked. Returns its number; 0 where it has too many words,
  // or is not known well enough. `native`: leaf first, complete.
  uint32_t Keep(const cpython::Layout& layout, const sigsafe::LocalReader& reader, uint64_t frame,
                uint64_t tstate, uint32_t generation, std::span<const cpython::PythonFrame> python,
                std::span<const unwind::NativeFrame> native);

  void Clear() {
    for (uint64_t& frame : frames_) frame = 0;
  }

 private:
  struct Word {
    uint64_t address;
    uint64_t value;
  };

  class Writer;

  bool Holds(uint32_t i) const {
    for (uint32_t w = 0; w < counts_[i]; ++w) {
      const Word& word = words_[i][w];
      // NOLINTBEGIN(performance-no-int-to-ptr)
      const uint64_t now = (word.address & 1) == 0
                               ? *reinterpret_cast<const volatile uint64_t*>(word.address)
                               : *reinterpret_cast<const volatile uint32_t*>(word.address - 1);
      // NOLINTEND(performance-no-int-to-ptr)
      if (now != word.value) return false;
    }
    return true;
  }

  uint64_t frames_[kStacks];  // 0: none
  uint64_t tstates_[kStacks];
  uint32_t counts_[kStacks];
  uint32_t generation_;
  uint32_t next_;  // to be overwritten
  Word words_[kStacks][kMaxWords];
};

}  // namespace pyrometer::agent
