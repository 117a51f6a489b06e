// SPDX-License-Identifier: Apache-2.0
// malloc and its kin, as the program and all its libraries call them. Each hook
// counts the request and passes it on unchanged to the allocator that would have
// served it without us, so blocks look and behave as ever.
#include "agent/engines/memory/malloc_hooks.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/next_symbol.h"
#include "agent/engines/memory/memory_sampler.h"
#include "unwind/loaded_modules.h"

// glibc's own, unless another allocator has replaced these as well.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(size_t) noexcept;
void* __libc_calloc(size_t, size_t) noexcept;
void* __libc_realloc(void*, size_t) noexcept;
void __libc_free(void*) noexcept;
// NOLINTEND(bugprone-reserved-identifier)
}

namespace pyrometer::agent {
namespace {

using transport::MemoryKind;

// The next definitions of the functions that are called all the time.
struct RealMalloc {
  void* (*malloc)(size_t);
  void* (*calloc)(size_t, size_t);
  void* (*realloc)(void*, size_t);
  void (*free)(void*);
};

bool Resolve();
// The first call of all, before main, looks for the rest. Looking may allocate
// in turn, which glibc serves.
void* FirstMalloc(size_t bytes);
void* FirstCalloc(size_t count, size_t size);
void* FirstRealloc(void* old, size_t bytes);
void FirstFree(void* block);

constinit RealMalloc g_real = {FirstMalloc, FirstCalloc, FirstRealloc, FirstFree};
bool g_resolving;

using AlignFunction = void* (*)(size_t, size_t);
using SizeFunction = void* (*)(size_t);
using PosixFunction = int (*)(void**, size_t, size_t);
AlignFunction g_memalign;
AlignFunction g_aligned_alloc;
PosixFunction g_posix_memalign;
SizeFunction g_valloc;
SizeFunction g_pvalloc;

unwind::Module g_allocator;  // empty: the C library

void* FirstMalloc(size_t bytes) { return Resolve() ? g_real.malloc(bytes) : __libc_malloc(bytes); }
void* FirstCalloc(size_t count, size_t size) {
  return Resolve() ? g_real.calloc(count, size) : __libc_calloc(count, size);
}
void* FirstRealloc(void* old, size_t bytes) {
  return Resolve() ? g_real.realloc(old, bytes) : __libc_realloc(old, bytes);
}
void FirstFree(void* block) {
  if (Resolve())
    g_real.free(block);
  else
    __libc_free(block);
}

// False: it is just being done.
bool Resolve() {
  if (g_resolving) return false;
  g_resolving = true;
  RealMalloc found{};
  NextSymbol(&found.malloc, "malloc");
  NextSymbol(&found.calloc, "calloc");
  NextSymbol(&found.realloc, "realloc");
  NextSymbol(&found.free, "free");
  g_real = found;
  g_resolving = false;
  return true;
}

// A request that CountRequest has picked, served by `serve`.
template <class Serve>
__attribute__((noinline)) void* Sampled(size_t bytes, Serve serve) {
  const ByteSampler::Decision decision = DecideRequest(bytes);
  void* block = serve();
  if (decision.sampled && block != nullptr)
    RecordRequest(MemoryKind::kNative, block, bytes, decision);
  return block;
}

template <class Serve>
void* Counted(size_t bytes, Serve serve) {
  if (CountRequest(bytes)) [[unlikely]]
    return Sampled(bytes, serve);
  return serve();
}

}  // namespace

void PrepareMallocHooks() {
  if (g_real.malloc == FirstMalloc) Resolve();
  NextSymbol(&g_memalign, "memalign");
  NextSymbol(&g_aligned_alloc, "aligned_alloc");
  NextSymbol(&g_posix_memalign, "posix_memalign");
  NextSymbol(&g_valloc, "valloc");
  NextSymbol(&g_pvalloc, "pvalloc");
}

void FindAllocator() {
  // Who serves the program: behind our hook, or before it when the executable
  // has a malloc of its own, which then is not seen.
  void* served = dlsym(RTLD_DEFAULT, "malloc");
  if (served == reinterpret_cast<void*>(&malloc)) served = reinterpret_cast<void*>(g_real.malloc);
  const unwind::LoadedModules modules;
  unwind::Module libc, allocator;
  // Not by __libc_malloc: some allocators define that, too.
  if (!modules.Find(reinterpret_cast<uint64_t>(&getenv), &libc) ||
      !modules.Find(reinterpret_cast<uint64_t>(served), &allocator) ||
      allocator.start == libc.start)
    return;
  g_allocator = allocator;
  Dl_info info;
  char(&name)[128] = g_agent.ring.header()->memory.allocator;
  if (dladdr(served, &info) == 0) return;
  size_t n = 0;
  for (; info.dli_fname[n] != '\0' && n + 1 < sizeof name; ++n) name[n] = info.dli_fname[n];
  name[n] = '\0';
}

bool IsAllocator(uint64_t pc) { return g_allocator.Contains(pc); }

}  // namespace pyrometer::agent

// NOLINTBEGIN(google-build-using-namespace)
PYRO_HOOK void* malloc(size_t bytes) noexcept {
  using namespace pyrometer::agent;
  return Counted(bytes, [=] { return g_real.malloc(bytes); });
}

PYRO_HOOK void* calloc(size_t count, size_t size) noexcept {
  using namespace pyrometer::agent;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return g_real.calloc(count, size);
  return Counted(bytes, [=] { return g_real.calloc(count, size); });
}

PYRO_HOOK void* realloc(void* old, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  CountFree(old, MemoryKind::kNative);
  return Counted(bytes, [=] { return g_real.realloc(old, bytes); });
}

PYRO_HOOK void* reallocarray(void* old, size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(old, bytes);
}

PYRO_HOOK void free(void* block) noexcept {
  using namespace pyrometer::agent;
  CountFree(block, MemoryKind::kNative);
  g_real.free(block);
}

// C23; a C library that does not have them yet has no callers either.
PYRO_HOOK void free_sized(void* block, size_t) noexcept { free(block); }
PYRO_HOOK void free_aligned_sized(void* block, size_t, size_t) noexcept { free(block); }

PYRO_HOOK void* memalign(size_t alignment, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  const AlignFunction real = NextSymbol(&g_memalign, "memalign");
  return Counted(bytes, [=] { return real(alignment, bytes); });
}

PYRO_HOOK void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  const AlignFunction real = NextSymbol(&g_aligned_alloc, "aligned_alloc");
  return Counted(bytes, [=] { return real(alignment, bytes); });
}

PYRO_HOOK int posix_memalign(void** out, size_t alignment, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  const PosixFunction real = NextSymbol(&g_posix_memalign, "posix_memalign");
  int result = 0;
  Counted(bytes, [=, &result]() -> void* {
    result = real(out, alignment, bytes);
    return result == 0 ? *out : nullptr;
  });
  return result;
}

PYRO_HOOK void* valloc(size_t bytes) noexcept {
  using namespace pyrometer::agent;
  const SizeFunction real = NextSymbol(&g_valloc, "valloc");
  return Counted(bytes, [=] { return real(bytes); });
}

PYRO_HOOK void* pvalloc(size_t bytes) noexcept {
  using namespace pyrometer::agent;
  const SizeFunction real = NextSymbol(&g_pvalloc, "pvalloc");
  return Counted(bytes, [=] { return real(bytes); });
}
// NOLINTEND(google-build-using-namespace)
