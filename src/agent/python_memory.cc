// SPDX-License-Identifier: Apache-2.0
#include "agent/python_memory.h"

#include <stdlib.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

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
int (*g_is_initialized)();
bool g_dropped;  // the hooks, or they will be

__attribute__((noinline)) void* ServeSlowly(const Domain& domain, size_t count, size_t size,
                                            bool zeroed) {
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
  if (now.malloc == nullptr || now.malloc == Malloc) return;
  // Without pymalloc all domains are one. mimalloc takes its memory from mmap,
  // which is hooked as well.
  domain->direct = now.malloc == raw.malloc || ServedByMimalloc() ? 0 : kSmallRequest;
  domain->real = now;
  Allocator ours{domain, Malloc, Calloc, Realloc, Free};
  set(number, &ours);
}

bool IsSet(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool ChoosesAllocators(char** arguments) {
  if (IsSet("PYTHONMALLOC") || IsSet("PYTHONDEVMODE")) return true;
  for (; *arguments != nullptr; ++arguments)
    if (const std::string_view word = *arguments; word == "dev" || word == "-Xdev") return true;
  return false;
}

void HookPythonMemory(bool chooses_allocators) {
  g_dropped = chooses_allocators && PythonApi::Get(&g_is_initialized, "Py_IsInitialized");
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
  if (!g_dropped || g_is_initialized() == 0) return;
  g_dropped = false;
  Hook(kMem, &g_mem);
  Hook(kObject, &g_object);
}

bool InterpreterEnds() { return g_is_finalizing != nullptr && g_is_finalizing() != 0; }

void PublishArenas() {
  if (transport::RingHeader* header = g_agent.ring.header(); header != nullptr)
    header->memory.arena_bytes = g_arena_bytes.load(std::memory_order_relaxed);
}

}  // namespace pyrometer::agent
