// SPDX-License-Identifier: Apache-2.0
// Memory that the program takes from the kernel itself. glibc's malloc does not
// pass through here; other allocators do, and are left out by their address.
#include "agent/map_hooks.h"

#include <stdarg.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/hook.h"
#include "agent/malloc_hooks.h"
#include "agent/memory_sampler.h"
#include "agent/next_symbol.h"

namespace pyrometer::agent {
namespace {

using transport::MemoryKind;

using MapFunction = void* (*)(void*, size_t, int, int, int, off_t);
using UnmapFunction = int (*)(void*, size_t);
using RemapFunction = void* (*)(void*, size_t, size_t, int, ...);
MapFunction g_mmap;
UnmapFunction g_munmap;
RemapFunction g_mremap;

// Until something was recorded, nothing that is given back is of interest.
std::atomic<bool> g_any;

void CountMap(void* address, size_t bytes) {
  if (!CountRequest(bytes)) return;
  const ByteSampler::Decision decision = DecideRequest(bytes);
  if (!decision.sampled) return;
  g_any.store(true, std::memory_order_relaxed);
  RecordRequest(MemoryKind::kMapped, address, bytes, decision);
}

void CountUnmap(void* address, size_t bytes) {
  if (g_any.load(std::memory_order_relaxed)) RecordUnmap(address, bytes);
}

// Memory of its own that can be written: not files, not room that is only
// reserved, not stacks.
bool IsMemory(int protection, int flags) {
  return (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_STACK) == 0 && (protection & PROT_WRITE) != 0;
}

void* Map(void* address, size_t bytes, int protection, int flags, int fd, off_t offset,
          const void* caller) {
  const bool counts = !IsAllocator(reinterpret_cast<uint64_t>(caller));
  // What was there goes away. A new map over it must not be seen before that.
  if (counts && (flags & MAP_FIXED) != 0) CountUnmap(address, bytes);
  void* mapped = NextSymbol(&g_mmap, "mmap")(address, bytes, protection, flags, fd, offset);
  if (counts && mapped != MAP_FAILED && IsMemory(protection, flags)) CountMap(mapped, bytes);
  return mapped;
}

}  // namespace

void PrepareMapHooks() {
  NextSymbol(&g_mmap, "mmap");
  NextSymbol(&g_munmap, "munmap");
  NextSymbol(&g_mremap, "mremap");
}

}  // namespace pyrometer::agent

// NOLINTBEGIN(google-build-using-namespace)
PYRO_HOOK void* mmap(void* address, size_t bytes, int protection, int flags, int fd,
                     off_t offset) noexcept {
  return pyrometer::agent::Map(address, bytes, protection, flags, fd, offset,
                               __builtin_return_address(0));
}

PYRO_HOOK void* mmap64(void* address, size_t bytes, int protection, int flags, int fd,
                       off64_t offset) noexcept {
  return pyrometer::agent::Map(address, bytes, protection, flags, fd, offset,
                               __builtin_return_address(0));
}

PYRO_HOOK int munmap(void* address, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  if (!IsAllocator(reinterpret_cast<uint64_t>(__builtin_return_address(0))))
    CountUnmap(address, bytes);
  return NextSymbol(&g_munmap, "munmap")(address, bytes);
}

PYRO_HOOK void* mremap(void* old, size_t old_bytes, size_t bytes, int flags, ...) noexcept {
  using namespace pyrometer::agent;
  va_list rest;
  va_start(rest, flags);
  void* target = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  const RemapFunction real = NextSymbol(&g_mremap, "mremap");
  if (IsAllocator(reinterpret_cast<uint64_t>(__builtin_return_address(0))))
    return real(old, old_bytes, bytes, flags, target);
  CountUnmap(old, old_bytes);
  void* mapped = real(old, old_bytes, bytes, flags, target);
  if (mapped != MAP_FAILED) CountMap(mapped, bytes);
  return mapped;
}
// NOLINTEND(google-build-using-namespace)
