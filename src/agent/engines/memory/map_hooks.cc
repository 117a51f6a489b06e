// SPDX-License-Identifier: Apache-2.0
// Memory that the program takes from the kernel itself. glibc's malloc does not
// pass through here; other allocators do, and are left out by their address.
#include "agent/engines/memory/map_hooks.h"

#include <stdarg.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/core/hook.h"
#include "agent/core/next_symbol.h"
#include "agent/engines/memory/malloc_hooks.h"
#include "agent/engines/memory/memory_sampler.h"

namespace pyrometer::agent {
namespace {

using transport::MemoryKind;

using MapFunction = void* (*)(void*, size_t, int, int, int, off_t);
using UnmapFunction = int (*)(void*, size_t);
using RemapFunction = void* (*)(void*, size_t, size_t, int, ...);
using AdviseFunction = int (*)(void*, size_t, int);
MapFunction g_mmap;
UnmapFunction g_munmap;
RemapFunction g_mremap;
AdviseFunction g_madvise;

// Until something was recorded, nothing that is freed is of interest.
std::atomic<bool> g_any;

void CountMap(void* address, size_t bytes, MemoryKind kind = MemoryKind::kMapped) {
  if (!CountRequest(bytes)) return;
  const ByteSampler::Decision decision = DecideRequest(bytes);
  if (!decision.sampled || (kind == MemoryKind::kReserved && decision.marks != 0)) return;
  g_any.store(true, std::memory_order_relaxed);
  RecordRequest(kind, address, bytes, decision);
}

void CountUnmap(void* address, size_t bytes) {
  if (g_any.load(std::memory_order_relaxed)) RecordUnmap(address, bytes);
}

// Memory of its own: not files, not stacks.
bool IsMemory(int flags) { return (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_STACK) == 0; }

// What cannot be written is only reserved; it can be made to be memory by mprotect.
MemoryKind KindOf(int protection) {
  return (protection & PROT_WRITE) != 0 ? MemoryKind::kMapped : MemoryKind::kReserved;
}

// Whether advice takes the pages of a range away, for now or as soon as they are needed. What is
// small is not worth a record.
bool GivesBack(size_t bytes, int advice) {
  constexpr size_t kLeast = 64 << 10;
  return bytes >= kLeast &&
         (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE);
}

void* Map(void* address, size_t bytes, int protection, int flags, int fd, off_t offset,
          const void* caller) {
  const bool counts = !IsAllocator(reinterpret_cast<uint64_t>(caller));
  // What was there goes away. A new map over it must not be seen before that.
  if (counts && (flags & MAP_FIXED) != 0) CountUnmap(address, bytes);
  void* mapped = NextSymbol(&g_mmap, "mmap")(address, bytes, protection, flags, fd, offset);
  if (counts && mapped != MAP_FAILED && IsMemory(flags))
    CountMap(mapped, bytes, KindOf(protection));
  return mapped;
}

}  // namespace

void PrepareMapHooks() {
  NextSymbol(&g_mmap, "mmap");
  NextSymbol(&g_munmap, "munmap");
  NextSymbol(&g_mremap, "mremap");
  NextSymbol(&g_madvise, "madvise");
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

PYRO_HOOK int madvise(void* address, size_t bytes, int advice) noexcept {
  using namespace pyrometer::agent;
  const int result = NextSymbol(&g_madvise, "madvise")(address, bytes, advice);
  if (result == 0 && GivesBack(bytes, advice) && g_any.load(std::memory_order_relaxed) &&
      !IsAllocator(reinterpret_cast<uint64_t>(__builtin_return_address(0))))
    RecordDiscard(address, bytes);
  return result;
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
