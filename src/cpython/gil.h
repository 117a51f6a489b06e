// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"
#include "cpython/memory_reader.h"

namespace pyrometer::cpython {

struct AddressRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  bool Contains(uint64_t address) const { return begin <= address && address < end; }
};

// The memory of the GIL that the interpreter of thread state `tstate` uses. A
// thread waiting for that GIL sleeps on a futex word inside it. Returns false
// when unreadable, or when a free-threaded build runs with the GIL off.
// Signal-safety: async-signal-safe if the reader is.
template <MemoryReader R>
bool ReadGilRange(const Layout& layout, const R& reader, uint64_t runtime, uint64_t tstate,
                  AddressRange* out) {
  uint64_t gil = 0;
  if (layout.runtime.gil != kAbsent) {
    gil = runtime + layout.runtime.gil;
  } else {
    uint64_t interpreter = 0;
    if (!ReadValue(reader, tstate + layout.thread.interpreter, &interpreter) ||
        !ReadValue(reader, interpreter + layout.interpreter.gil, &gil) || gil == 0) {
      return false;
    }
  }
  if (layout.gil.enabled != kAbsent) {
    int32_t enabled = 0;
    if (!ReadValue(reader, gil + layout.gil.enabled, &enabled) || enabled == 0) return false;
  }
  *out = {gil, gil + layout.gil.size};
  return true;
}

// The thread state that holds that GIL now; 0 when nobody does or unknown.
template <MemoryReader R>
uint64_t ReadGilHolder(const Layout& layout, const R& reader, uint64_t runtime, uint64_t tstate) {
  AddressRange gil;
  int32_t locked = 0;
  uint64_t holder = 0;
  if (!ReadGilRange(layout, reader, runtime, tstate, &gil) ||
      !ReadValue(reader, gil.begin + layout.gil.locked, &locked) ||
      !ReadValue(reader, gil.begin + layout.gil.last_holder, &holder)) {
    return 0;
  }
  // The last holder stays recorded after it let go; -1 means before the first.
  return locked == 1 ? holder : 0;
}

}  // namespace pyrometer::cpython
