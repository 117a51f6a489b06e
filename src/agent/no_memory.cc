// SPDX-License-Identifier: Apache-2.0
// For the agent that leaves memory alone.
#include "agent/memory_hooks.h"

namespace pyrometer::agent {

void PrepareMemoryHooks() {}
void StartMemory(bool, bool) {}
void RestartMemoryAfterFork(bool) {}

}  // namespace pyrometer::agent
