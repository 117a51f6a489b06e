// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capture/probes/memory/memory_place.h"
#include "format/records.h"

namespace pyrometer::capture {

// A sampled block of memory that is in use, or what is left of a mapping.
struct LiveBlock {
  MemoryPlace* place = nullptr;
  uint64_t bytes = 0;  // as requested
  // What is live of it, and of those that it stands for. Of a large block that is what it has
  // taken, of its pages, when that was last checked.
  format::MemoryAmount amount;
  uint64_t number = 0;      // of the request: an address may be used again
  uint64_t gone_bytes = 0;  // that it had taken, and that the program has discarded since
  bool exact = false;       // stands for itself
  bool growing = false;     // was, when last checked: more of it is taken
  bool reserve = false;     // what is not taken was not asked for either
  bool held = false;        // counts as live
  bool discarded = false;   // the program has said that it does not need all of it
  format::StringId type;    // of the object in it; empty: not known

  // What was asked for, but not taken.
  uint64_t untaken() const { return exact ? bytes - amount.bytes : 0; }
};

}  // namespace pyrometer::capture
