// SPDX-License-Identifier: Apache-2.0
// memcpy and its kin: counted, then passed on to the routine that the C library
// has picked for this processor. What compilers have inlined does not come here.
//
// The agent's own copies do not pass through the hooks: the linker is told to
// bind them to __wrap_memcpy and __wrap_memmove (CMakeLists.txt).
#include "agent/engines/memory/copy_hooks.h"

#include <cstddef>
#include <cstdint>

#include "agent/core/hook.h"
#include "agent/core/next_symbol.h"
#include "agent/engines/memory/memory_sampler.h"

namespace pyrometer::agent {
namespace {

using CopyFunction = void* (*)(void*, const void*, size_t);
using TextFunction = char* (*)(char*, const char*);

// Byte by byte, while the real routines are looked up: the barrier keeps the
// compiler from making a call of memcpy out of the loop.
void* EarlyMove(void* to, const void* from, size_t bytes) {
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  const bool forward = reinterpret_cast<uintptr_t>(to) <= reinterpret_cast<uintptr_t>(from);
  for (size_t i = 0; i < bytes; ++i) {
    const size_t at = forward ? i : bytes - 1 - i;
    out[at] = in[at];
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

void* FirstCopy(void* to, const void* from, size_t bytes);
void* FirstMove(void* to, const void* from, size_t bytes);
constinit CopyFunction g_memcpy = FirstCopy;
constinit CopyFunction g_memmove = FirstMove;
TextFunction g_stpcpy;

// The first call of all, before main, looks for the rest. Looking may copy.
void Resolve() {
  g_memcpy = g_memmove = EarlyMove;
  CopyFunction copy = nullptr;
  CopyFunction move = nullptr;
  NextSymbol(&copy, "memcpy");
  NextSymbol(&move, "memmove");
  if (copy != nullptr) g_memcpy = copy;
  if (move != nullptr) g_memmove = move;
}

void* FirstCopy(void* to, const void* from, size_t bytes) {
  Resolve();
  return g_memcpy(to, from, bytes);
}
void* FirstMove(void* to, const void* from, size_t bytes) {
  Resolve();
  return g_memmove(to, from, bytes);
}

char* CopyText(char* to, const char* from) {
  char* end = NextSymbol(&g_stpcpy, "stpcpy")(to, from);
  const size_t bytes = static_cast<size_t>(end - to) + 1;
  if (CountCopy(bytes)) SampleCopy(bytes);
  return end;
}

// Apart from the fast path, which then needs no stack frame.
__attribute__((noinline)) void* Sampled(CopyFunction copy, void* to, const void* from,
                                        size_t bytes) {
  SampleCopy(bytes);
  return copy(to, from, bytes);
}

void* Counted(CopyFunction copy, void* to, const void* from, size_t bytes) {
  if (CountCopy(bytes)) [[unlikely]]
    return Sampled(copy, to, from, bytes);
  return copy(to, from, bytes);
}

}  // namespace

void PrepareCopyHooks() {
  if (g_memcpy == FirstCopy) Resolve();
  NextSymbol(&g_stpcpy, "stpcpy");
}

}  // namespace pyrometer::agent

// NOLINTBEGIN(google-build-using-namespace, bugprone-reserved-identifier)
extern "C" {
[[noreturn]] void __chk_fail();

void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  return pyrometer::agent::g_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  return pyrometer::agent::g_memmove(to, from, bytes);
}
}

PYRO_HOOK void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  return Counted(g_memcpy, to, from, bytes);
}

PYRO_HOOK void* memmove(void* to, const void* from, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  return Counted(g_memmove, to, from, bytes);
}

PYRO_HOOK void* mempcpy(void* to, const void* from, size_t bytes) noexcept {
  using namespace pyrometer::agent;
  return static_cast<char*>(Counted(g_memcpy, to, from, bytes)) + bytes;
}

// What programs call that were compiled with _FORTIFY_SOURCE.
PYRO_HOOK void* __memcpy_chk(void* to, const void* from, size_t bytes, size_t room) noexcept {
  using namespace pyrometer::agent;
  if (bytes > room) __chk_fail();
  return Counted(g_memcpy, to, from, bytes);
}

PYRO_HOOK void* __memmove_chk(void* to, const void* from, size_t bytes, size_t room) noexcept {
  using namespace pyrometer::agent;
  if (bytes > room) __chk_fail();
  return Counted(g_memmove, to, from, bytes);
}

PYRO_HOOK void* __mempcpy_chk(void* to, const void* from, size_t bytes, size_t room) noexcept {
  using namespace pyrometer::agent;
  if (bytes > room) __chk_fail();
  return static_cast<char*>(Counted(g_memcpy, to, from, bytes)) + bytes;
}

PYRO_HOOK char* strcpy(char* to, const char* from) noexcept {
  pyrometer::agent::CopyText(to, from);
  return to;
}

PYRO_HOOK char* stpcpy(char* to, const char* from) noexcept {
  return pyrometer::agent::CopyText(to, from);
}
// NOLINTEND(google-build-using-namespace, bugprone-reserved-identifier)
