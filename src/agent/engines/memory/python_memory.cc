// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/python_memory.h"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "agent/core/agent.h"
#include "agent/core/in_recording.h"
#include "agent/core/python_symbol.h"
#include "agent/engines/memory/memory_sampler.h"

namespace pyrometer::agent {
namespace {

using transport::MemoryKind;

// PyMemAllocatorEx and PyObjectArenaAllocator, the same in 3.5 and everything since.
struct Allocator {
  void* context;
  void* (*malloc)(void*, size_t);
  void* (*calloc)(void*, size_t, size_t);
  void* (*realloc)(void*, void*, size_t);
  void (*free)(void*, void*);
};
struct ArenaAllocator {
  void* context;
  void* (*alloc)(void*, size_t);
  void (*free)(void*, void*, size_t);
};

// PyMemAllocatorDomain. The raw domain is malloc itself, which is hooked there.
enum DomainNumber : int { kRaw = 0, kMem = 1, kObject = 2 };
using AllocatorFunction = void (*)(int, Allocator*);
using ArenaFunction = void (*)(ArenaAllocator*);

// SMALL_REQUEST_THRESHOLD: up to this size pymalloc serves requests from its arenas.
constexpr size_t kPymallocLimit = 512;
// The same when its debug hooks have made requests larger.
constexpr size_t kDebugLimit = kPymallocLimit - 64;

struct Domain {
  Allocator real;
  // Requests up to this size never reach malloc: they need no protection against
  // being counted twice.
  size_t direct;
  // Smaller requests are made so large when they are sampled; 0: none.
  //
  // Where pymalloc serves, without anything before it, they are then passed on to malloc,
  // and their end is seen at free(), as that of any large object. So PyObject_Free, which
  // runs as often as all the rest, is not hooked at all; and pymalloc's own books stay right.
  size_t least_sampled;

  size_t Followed(size_t bytes) const { return std::max(bytes, least_sampled); }
};
// Constant once hooked.
Domain g_mem;
Domain g_object;
ArenaAllocator g_arenas;
std::atomic<uint64_t> g_arena_bytes;
int (*g_is_finalizing)();
int (*g_is_initialized)();
bool g_hooked;   // for good: blocks in use are from behind the hooks
bool g_dropped;  // the hooks, or they will be

// A small request that CountRequest has picked, or a larger one, which nobody has counted yet.
__attribute__((noinline)) void* ServeSlowly(const Domain& domain, size_t count, size_t size,
                                            bool zeroed) {
  const size_t bytes = count * size;
  const bool picked = bytes <= domain.direct || CountRequest(bytes);
  const ByteSampler::Decision decision = picked ? DecideRequest(bytes) : ByteSampler::Decision{};
  if (decision.sampled) [[unlikely]] {
    count = 1;
    size = domain.Followed(bytes);
  }
  void* block;
  {
    const NestedRequests nested;
    block = zeroed ? domain.real.calloc(domain.real.context, count, size)
                   : domain.real.malloc(domain.real.context, count * size);
  }
  if (decision.sampled && block != nullptr) [[unlikely]]
    RecordRequest(MemoryKind::kPython, block, bytes, decision);
  return block;
}

void* ServeRealloc(const Domain& domain, void* old, size_t bytes) {
  const ByteSampler::Decision decision =
      CountRequest(bytes) ? DecideRequest(bytes) : ByteSampler::Decision{};
  CountFree(old, MemoryKind::kPython);
  void* block;
  {
    const NestedRequests nested;
    block = domain.real.realloc(domain.real.context, old,
                                decision.sampled ? domain.Followed(bytes) : bytes);
  }
  if (decision.sampled && block != nullptr) [[unlikely]]
    RecordRequest(MemoryKind::kPython, block, bytes, decision);
  return block;
}

// Hooks for pymalloc. Both domains are the same there, and without a context.
// The first runs for every object: it should need one line of the cache for itself.
__attribute__((aligned(64))) void* PymallocMalloc(void* context, size_t bytes) {
  if (bytes <= kPymallocLimit && !CountRequest(bytes)) [[likely]]
    return g_object.real.malloc(context, bytes);
  return ServeSlowly(g_object, 1, bytes, false);
}

void* PymallocCalloc(void* context, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return g_object.real.calloc(context, count, size);
  if (bytes <= kPymallocLimit && !CountRequest(bytes)) [[likely]]
    return g_object.real.calloc(context, count, size);
  return ServeSlowly(g_object, count, size, true);
}

void* PymallocRealloc(void*, void* old, size_t bytes) { return ServeRealloc(g_object, old, bytes); }

// Hooks for whatever else there is (debug hooks, mimalloc, malloc): blocks stay as they are.
void* Malloc(void* context, size_t bytes) {
  const auto& domain = *static_cast<const Domain*>(context);
  if (bytes <= domain.direct && !CountRequest(bytes)) [[likely]]
    return domain.real.malloc(domain.real.context, bytes);
  return ServeSlowly(domain, 1, bytes, false);
}

void* Calloc(void* context, size_t count, size_t size) {
  const auto& domain = *static_cast<const Domain*>(context);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return domain.real.calloc(domain.real.context, count, size);
  if (bytes <= domain.direct && !CountRequest(bytes)) [[likely]]
    return domain.real.calloc(domain.real.context, count, size);
  return ServeSlowly(domain, count, size, true);
}

void* Realloc(void* context, void* old, size_t bytes) {
  return ServeRealloc(*static_cast<const Domain*>(context), old, bytes);
}

// Apart, so that the usual way needs no frame.
__attribute__((noinline)) void FreeSampled(const Domain& domain, void* block) {
  ForgetBlock(block, MemoryKind::kPython);
  domain.real.free(domain.real.context, block);
}

void Free(void* context, void* block) {
  const auto& domain = *static_cast<const Domain*>(context);
  if (MayBeSampled(block)) [[unlikely]]
    return FreeSampled(domain, block);
  domain.real.free(domain.real.context, block);
}

void AddArena(uint64_t bytes) {
  g_arena_bytes.fetch_add(bytes, std::memory_order_relaxed);
  PublishArenas();
}

void* AllocateArena(void*, size_t bytes) {
  const NestedRequests nested;
  void* arena = g_arenas.alloc(g_arenas.context, bytes);
  if (arena != nullptr) AddArena(bytes);
  return arena;
}

void FreeArena(void*, void* arena, size_t bytes) {
  // Its pages come back through munmap, which must not take them for ours.
  g_arenas.free(g_arenas.context, arena, bytes);
  // One that is older than the hook was not counted.
  if (g_arena_bytes.load(std::memory_order_relaxed) >= bytes) AddArena(-uint64_t{bytes});
}

bool ServedByMimalloc() {
  const char* asked = getenv("PYTHONMALLOC");
  return g_agent.interpreter.layout.free_threaded ||
         (asked != nullptr && std::strncmp(asked, "mimalloc", 8) == 0);
}

// The allocators of the domains, if they can be had.
struct Domains {
  AllocatorFunction get, set;
  Allocator raw{}, mem{}, object{};

  bool Read() {
    if (!FindPythonSymbol(&get, "PyMem_GetAllocator") ||
        !FindPythonSymbol(&set, "PyMem_SetAllocator"))
      return false;
    get(kRaw, &raw);
    get(kMem, &mem);
    get(kObject, &object);
    return mem.malloc != nullptr && object.malloc != nullptr;
  }

  // Without pymalloc all domains are one. Debug hooks have a context.
  bool ArePymalloc() const {
    return mem.malloc == object.malloc && object.malloc != raw.malloc && mem.context == nullptr &&
           object.context == nullptr && !ServedByMimalloc();
  }
};

// `untouched`: as for HookPythonMemory.
void HookDomains(bool untouched) {
  Domains domains;
  if (!domains.Read()) return;
  if (untouched && domains.ArePymalloc()) {
    g_object = {domains.object, kPymallocLimit, kPymallocLimit + 1};
    Allocator ours{nullptr, PymallocMalloc, PymallocCalloc, PymallocRealloc, domains.object.free};
    domains.set(kMem, &ours);
    domains.set(kObject, &ours);
    return;
  }
  const auto hook = [&](DomainNumber number, const Allocator& now, Domain* domain) {
    if (now.malloc == Malloc || now.malloc == PymallocMalloc) return;
    // mimalloc takes its memory from mmap, which is hooked as well.
    const bool reaches_hooks = now.malloc == domains.raw.malloc || ServedByMimalloc();
    *domain = {now, reaches_hooks ? 0 : kDebugLimit, 0};
    Allocator ours{domain, Malloc, Calloc, Realloc, Free};
    domains.set(number, &ours);
  };
  hook(kMem, domains.mem, &g_mem);
  hook(kObject, domains.object, &g_object);
}

}  // namespace

void HookPythonMemory(bool chooses_allocators, bool untouched) {
  if (g_hooked) return;
  g_hooked = true;
  g_dropped = chooses_allocators && FindPythonSymbol(&g_is_initialized, "Py_IsInitialized");
  if (!FindPythonSymbol(&g_is_finalizing, "Py_IsFinalizing"))
    FindPythonSymbol(&g_is_finalizing, "_Py_IsFinalizing");
  ArenaFunction get, set;
  if (FindPythonSymbol(&get, "PyObject_GetArenaAllocator") &&
      FindPythonSymbol(&set, "PyObject_SetArenaAllocator")) {
    get(&g_arenas);
    ArenaAllocator ours{nullptr, AllocateArena, FreeArena};
    if (g_arenas.alloc != nullptr) set(&ours);
  }
  HookDomains(untouched);
}

void RestorePythonMemoryHooks() {
  if (!g_dropped || g_is_initialized() == 0) return;
  g_dropped = false;
  HookDomains(false);
}

bool InterpreterEnds() { return g_is_finalizing != nullptr && g_is_finalizing() != 0; }

void PublishArenas() {
  if (const InRecording inside; inside)
    g_agent.ring.header()->memory.arena_bytes = g_arena_bytes.load(std::memory_order_relaxed);
}

}  // namespace pyrometer::agent
