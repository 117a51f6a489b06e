// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unwind/memory_ref.h"
#include "unwind/module.h"

namespace pyrometer::unwind {

// What .eh_frame says about one function: an FDE and the CIE it refers to.
struct FrameDescription {
  // Bytes of call frame instructions, [begin, end).
  struct Program {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  uint64_t pc_begin = 0;
  uint64_t pc_end = 0;
  Program initial;   // the CIE's, run first
  Program function;  // the FDE's
  uint64_t code_align = 0;
  int64_t data_align = 0;
  uint64_t return_address_register = 0;
  uint8_t pointer_encoding = 0;
  bool is_signal_frame = false;
};

// Finds the description of the function that has `pc` by the binary search
// table of .eh_frame_hdr (the one encoding that linkers write: sorted pairs of
// sdata4 relative to the header). False where there is none, or where it is
// malformed. Nothing outside `module` is read.
//
// Signal-safety: safe.
bool FindFrameDescription(MemoryRef memory, const Module& module, uint64_t pc,
                          FrameDescription* description);

}  // namespace pyrometer::unwind
