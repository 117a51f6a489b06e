// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capture/memory_place.h"
#include "format/records.h"

namespace pyrometer::capture {

// A sampled block of memory that is in use, or what is left of a mapping.
struct LiveBlock {
  MemoryPlace* place = nullptr;
  uint64_t bytes = 0;  // as requested
  format::MemoryAmount amount;
  uint64_t number = 0;    // of the request: an address may be used again
  bool held = false;      // counts as live
  format::StringId type;  // of the object in it; empty: not known
};

}  // namespace pyrometer::capture
