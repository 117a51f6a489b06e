// SPDX-License-Identifier: Apache-2.0
#include "agent/python_memory.h"

#include <stdlib.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "agent/agent.h"
#include "agent/memory_sampler.h"
#include "agent/python_api.h"

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

// Up to this size pymalloc serves requests from its arenas, also when its debug
// hooks have made them larger.
constexpr size_t kSmallRequest = 512 - 64;

struct Domain {
  Allocator real;
  // Requests up to this size never reach malloc: they need no protection against
  // being counted twice.
  size_t direct;
};
// Constant once hooked.
Domain g_mem;
Domain g_object;
ArenaAllocator g_arenas;
std::atomic<uint64_t> g_arena_bytes;
int (*g_is_finalizing)();
bool g_was_called;  // by a request that had to take the slow path

__attribute__((noinline)) void* ServeSlowly(const Domain& domain, size_t count, size_t size,
                                            bool zeroed) {
  g_was_called = true;
  const size_t bytes = count * size;
  const ByteSampler::Decision decision =
      t_memory.requests.left <= 0 ? DecideRequest(bytes) : ByteSampler::Decision{};
  void* block;
  {
    const NestedRequests nested;
    block = zeroed ? domain.real.calloc(domain.real.context, count, size)
                   : domain.real.malloc(domain.real.context, bytes);
  }
  if (decision.sampled && block != nullptr) [[unlikely]]
    RecordRequest(MemoryKind::kPython, block, bytes, decision.interval);
  return block;
}

void* Malloc(void* context, size_t bytes) {
  const auto& domain = *static_cast<const Domain*>(context);
  if (!CountRequest(bytes) && bytes <= domain.direct) [[likely]]
    return domain.real.malloc(domain.real.context, bytes);
  return ServeSlowly(domain, 1, bytes, false);
}

void* Calloc(void* context, size_t count, size_t size) {
  const auto& domain = *static_cast<const Domain*>(context);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return domain.real.calloc(domain.real.context, count, size);
  if (!CountRequest(bytes) && bytes <= domain.direct) [[likely]]
    return domain.real.calloc(domain.real.context, count, size);
  return ServeSlowly(domain, count, size, true);
}

void* Realloc(void* context, void* old, size_t bytes) {
  const auto& domain = *static_cast<const Domain*>(context);
  const ByteSampler::Decision decision =
      CountRequest(bytes) ? DecideRequest(bytes) : ByteSampler::Decision{};
  CountFree(old, MemoryKind::kPython);
  void* block;
  {
    const NestedRequests nested;
    block = domain.real.realloc(domain.real.context, old, bytes);
  }
  if (decision.sampled && block != nullptr) [[unlikely]]
    RecordRequest(MemoryKind::kPython, block, bytes, decision.interval);
  return block;
}

void Free(void* context, void* block) {
  const auto& domain = *static_cast<const Domain*>(context);
  CountFree(block, MemoryKind::kPython);
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
  AddArena(-uint64_t{bytes});
}

bool ServedByMimalloc() {
  const char* asked = getenv("PYTHONMALLOC");
  return g_agent.interpreter.layout.free_threaded ||
         (asked != nullptr && std::strncmp(asked, "mimalloc", 8) == 0);
}

void Hook(int number, Domain* domain) {
  AllocatorFunction get, set;
  if (!PythonApi::Get(&get, "PyMem_GetAllocator") || !PythonApi::Get(&set, "PyMem_SetAllocator"))
    return;
  Allocator raw{};
  Allocator now{};
  get(kRaw, &raw);
  get(number, &now);
  if (now.malloc == nullptr) return;
  // Without pymalloc all domains are one. mimalloc takes its memory from mmap,
  // which is hooked as well.
  domain->direct = now.malloc == raw.malloc || ServedByMimalloc() ? 0 : kSmallRequest;
  domain->real = now;
  Allocator ours{domain, Malloc, Calloc, Realloc, Free};
  set(number, &ours);
}

// Whether a request comes to our hook, perhaps through the hooks of others.
bool IsHooked(int number) {
  AllocatorFunction get;
  if (!PythonApi::Get(&get, "PyMem_GetAllocator")) return true;
  Allocator now{};
  get(number, &now);
  g_was_called = false;
  t_memory.requests.left = 0;
  if (void* block = now.malloc(now.context, 1); block != nullptr) now.free(now.context, block);
  return g_was_called;
}

}  // namespace

void HookPythonMemory() {
  if (!PythonApi::Get(&g_is_finalizing, "Py_IsFinalizing"))
    PythonApi::Get(&g_is_finalizing, "_Py_IsFinalizing");
  ArenaFunction get, set;
  if (PythonApi::Get(&get, "PyObject_GetArenaAllocator") &&
      PythonApi::Get(&set, "PyObject_SetArenaAllocator")) {
    get(&g_arenas);
    ArenaAllocator ours{nullptr, AllocateArena, FreeArena};
    if (g_arenas.alloc != nullptr) set(&ours);
  }
  Hook(kMem, &g_mem);
  Hook(kObject, &g_object);
}

void RestorePythonMemoryHooks() {
  if (!IsHooked(kMem)) Hook(kMem, &g_mem);
  if (!IsHooked(kObject)) Hook(kObject, &g_object);
}

bool InterpreterEnds() { return g_is_finalizing != nullptr && g_is_finalizing() != 0; }

void PublishArenas() {
  if (transport::RingHeader* header = g_agent.ring.header(); header != nullptr)
    header->memory.arena_bytes = g_arena_bytes.load(std::memory_order_relaxed);
}

}  // namespace pyrometer::agent
