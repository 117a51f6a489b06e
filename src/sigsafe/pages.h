// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>

#include "sigsafe/syscall.h"

namespace pyrometer::sigsafe {

// Zeroed pages of our own, or nullptr. By bare system calls, so that no hook on
// mmap sees them. Signal-safety: safe.
inline void* MapPages(size_t bytes) {
  const long map = Syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return map < 0 && map > -4096 ? nullptr : reinterpret_cast<void*>(map);
}

// Gives pages back. Signal-safety: safe.
inline void UnmapPages(void* pages, size_t bytes) {
  Syscall(SYS_munmap, Arg(pages), static_cast<long>(bytes));
}

}  // namespace pyrometer::sigsafe
