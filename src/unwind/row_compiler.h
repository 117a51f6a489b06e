// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unwind/memory_ref.h"
#include "unwind/module.h"
#include "unwind/unwind_row.h"

namespace pyrometer::unwind {

// A row and the addresses for which it holds, [begin, end).
struct RangedRow {
  UnwindRow row;
  uint64_t begin;
  uint64_t end;
};

// Finds what the unwind tables of `module` say about `pc`: looks up the
// function through .eh_frame_hdr's search table and runs its call frame
// instructions up to `pc`. Kind::kNone where they say nothing that a row can
// express; its range is then `pc` alone. The tables are not trusted: reads stay
// inside the module, and the work is bounded.
//
// Signal-safety: safe; no state, about 2 KiB of stack.
RangedRow CompileRow(MemoryRef memory, const Module& module, uint64_t pc);

}  // namespace pyrometer::unwind
