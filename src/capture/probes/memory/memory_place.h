// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "format/records.h"

namespace pyrometer::capture {

// Where memory is allocated: a thread, its stack and the kind of memory; and what
// became of it. Owned by MemoryPlaces.
struct MemoryPlace {
  format::ThreadId thread;
  format::StackId stack;
  format::MemoryKind kind = format::MemoryKind::kPython;

  format::MemoryAmount live;
  uint32_t fresh = 0;       // blocks that do not count as live yet
  uint64_t high_bytes = 0;  // most that was live at once
  // What was live at the peak with this number; at a later one it was `live`.
  format::MemoryAmount at_peak;
  uint64_t peak_number = 0;
  // Since the last window was written.
  format::MemoryAmount allocated;
  format::MemoryAmount freed;
  bool changed = false;
};

}  // namespace pyrometer::capture
