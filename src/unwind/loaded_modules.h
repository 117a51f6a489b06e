// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unwind/module.h"

namespace pyrometer::unwind {

// The modules of this process, as the dynamic linker knows them at the moment
// of the question; models ModuleFinder. Needs glibc 2.35 or later
// (_dl_find_object); elsewhere every answer is no.
//
// Thread-safety: stateless.
// Signal-safety: safe; glibc documents _dl_find_object as async-signal-safe.
class LoadedModules {
 public:
  // Whether the C library can answer at all.
  static bool Available();
  bool Find(uint64_t pc, Module* module) const;
};

}  // namespace pyrometer::unwind
