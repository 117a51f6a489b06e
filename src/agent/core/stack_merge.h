// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/frame_walk.h"
#include "transport/records.h"
#include "unwind/stack_walker.h"

namespace pyrometer::agent {

// Code of the eval loop, for interpreters whose frames leave no trace on the
// C stack (3.8 to 3.10).
struct EvalRange {
  uint64_t begin;
  uint64_t end;
  bool Contains(uint64_t pc) const { return pc >= begin && pc < end; }
};

// Puts the Python frames in the places of the C activations of the eval loop
// that run them, and writes the one resulting stack, leaf first, through
// emit_python(index) and emit_native(index).
//
// The places are found by anchors: from 3.11 on each activation has an object
// at a known address inside its own C frame; before, each Python frame has an
// activation of its own. Counts are never guessed: false means that the two
// stacks do not fit, and nothing was emitted.
//
// `native_complete`: the native walk reached the root; else what is left of
// the Python stack goes below the last native frame.
// Signal-safety: safe.
template <class EmitPython, class EmitNative>
bool MergeStacks(std::span<const cpython::PythonFrame> python,
                 std::span<const unwind::NativeFrame> native, bool native_complete, EvalRange eval,
                 EmitPython&& emit_python, EmitNative&& emit_native) {
  const bool by_address = !python.empty() && python.back().anchor != 0;
  // First pass: do they fit? Second pass: emit.
  for (int pass = 0; pass < 2; ++pass) {
    const bool emit = pass == 1;
    size_t next = 0;  // the youngest Python frame that has no place yet
    for (size_t i = 0; i < native.size(); ++i) {
      const unwind::NativeFrame& frame = native[i];
      const uint64_t pc = i == 0 ? frame.pc : frame.pc - 1;
      size_t end = next;  // Python frames [next, end) belong here
      if (by_address) {
        if (next < python.size()) {
          size_t entry = next;
          while (entry < python.size() && !python[entry].entry) ++entry;
          if (entry < python.size()) {
            const uint64_t anchor = python[entry].anchor;
            if (anchor < frame.sp) return false;  // passed it: its place was not seen
            if (anchor < frame.cfa) end = entry + 1;
          }
        }
      } else if (eval.Contains(pc)) {
        if (next == python.size()) return false;
        end = next + 1;
      }
      if (emit) {
        if (end == next) emit_native(i);
        for (size_t p = next; p < end; ++p) emit_python(p);
      }
      next = end;
    }
    if (native_complete && next != python.size()) return false;
    if (emit)
      for (; next < python.size(); ++next) emit_python(next);
  }
  return true;
}

}  // namespace pyrometer::agent
