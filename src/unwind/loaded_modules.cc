// SPDX-License-Identifier: Apache-2.0
#include "unwind/loaded_modules.h"

#include <dlfcn.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
// Weak, so that the same library loads where glibc is older than 2.35.
#pragma weak _dl_find_object
#endif

namespace pyrometer::unwind {

#ifdef DLFO_STRUCT_HAS_EH_DBASE

bool LoadedModules::Available() { return &_dl_find_object != nullptr; }

bool LoadedModules::Find(uint64_t pc, Module* module) const {
  if (!Available()) return false;
  dl_find_object found;
  // The interface takes an address as a pointer; it is never dereferenced.
  if (_dl_find_object(reinterpret_cast<void*>(pc), &found) != 0) return false;
  module->start = reinterpret_cast<uint64_t>(found.dlfo_map_start);
  module->end = reinterpret_cast<uint64_t>(found.dlfo_map_end);
  module->eh_frame_hdr = reinterpret_cast<uint64_t>(found.dlfo_eh_frame);
  return true;
}

#else

bool LoadedModules::Available() { return false; }
bool LoadedModules::Find(uint64_t, Module*) const { return false; }

#endif

}  // namespace pyrometer::unwind
