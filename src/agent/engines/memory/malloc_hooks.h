// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::agent {

// Finds the functions behind our hooks on malloc and its kin.
// Context: start-up, one thread.
void PrepareMallocHooks();

// Finds out who has them, and tells the collector if that is not the C library.
// Context: start-up, one thread, the ring is open.
void FindAllocator();

// Whether `pc` is inside the library that serves malloc, if that is not the C
// library: what it takes from mmap was asked of malloc before.
bool IsAllocator(uint64_t pc);

}  // namespace pyrometer::agent
