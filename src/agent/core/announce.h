// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/code_object.h"
#include "sigsafe/local_reader.h"

namespace pyrometer::agent {

// Slot of the code object at `code` in the collector's table, told to the
// collector first if need be; transport::kNoCode when that is not possible now
// or `code` is no code object. Also gives its identity (cpython::CodeHead).
// Signal-safety: safe.
uint32_t AnnounceCode(const sigsafe::LocalReader& reader, uint64_t code, uint64_t* identity);

// A module that the collector knows, with its addresses [start, end).
struct AnnouncedModule {
  uint64_t start;
  uint64_t end;
  uint32_t slot;
  bool switches_stacks;  // see stack_switcher.h
  bool Contains(uint64_t pc) const { return pc >= start && pc < end; }
};

// The same for the module that has `pc`; empty, with slot transport::kNoModule,
// when none has. Signal-safety: safe.
AnnouncedModule AnnounceModule(uint64_t pc);

}  // namespace pyrometer::agent
