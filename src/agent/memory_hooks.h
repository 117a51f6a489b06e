// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// All that the agent does about memory. There are two agents: the one for `run --cpu-only` has no
// hooks on malloc, mmap and memcpy at all, because a hook that only passes on is not free
// (docs/design/0006-memory.md), and has no_memory.cc for what is declared here.
// Context: start-up, one thread, unless said otherwise.

// Finds the functions behind the hooks.
void PrepareMemoryHooks();
// Begins to sample. `chooses_allocators`, `untouched`: see HookPythonMemory.
void StartMemory(bool chooses_allocators, bool untouched);
// In the child of a fork: what the parent had is not this process's.
// `on`: the child has a ring.
void RestartMemoryAfterFork(bool on);

}  // namespace pyrometer::agent
