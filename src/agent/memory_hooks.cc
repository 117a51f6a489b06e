// SPDX-License-Identifier: Apache-2.0
#include "agent/memory_hooks.h"

#include "agent/copy_hooks.h"
#include "agent/malloc_hooks.h"
#include "agent/map_hooks.h"
#include "agent/memory_sampler.h"
#include "agent/python_memory.h"

namespace pyrometer::agent {

void PrepareMemoryHooks() {
  PrepareMallocHooks();
  PrepareMapHooks();
  PrepareCopyHooks();
}

void StartMemory(bool chooses_allocators, bool untouched) {
  FindAllocator();
  HookPythonMemory(chooses_allocators, untouched);
  StartMemorySampling();
}

void RestartMemoryAfterFork(bool on) {
  RestartMemorySampling(on);
  PublishArenas();
}

}  // namespace pyrometer::agent
