// SPDX-License-Identifier: Apache-2.0
// New threads begin with us, and with the signal mask that the program has given them; what
// libraries that go away leave behind is not used again.
#include "agent/guest/thread_hooks.h"

#include <pthread.h>

#include <atomic>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/next_symbol.h"
#include "agent/core/thread_registry.h"
#include "agent/guest/signal_hooks.h"
#include "sigsafe/pages.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using CreateFunction = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
CreateFunction g_pthread_create;
using CloseFunction = int (*)(void*);
CloseFunction g_dlclose;
std::atomic<int> g_unseen_births;  // threads that are being made without a record

// What a new thread is to run. Lives in pages of its own, because the
// program's heap is none of our business.
struct Birth {
  void* (*routine)(void*);
  void* argument;
  bool blocks_signal;
};

void* RunThread(void* raw) {
  const Birth birth = *static_cast<Birth*>(raw);
  sigsafe::UnmapPages(raw, sizeof(Birth));
  StartThread(false);
  if (ThreadRecord* record = CurrentThread(); record != nullptr) {
    record->program_blocks_signal = birth.blocks_signal;
    UnblockSignal();
  }
  return birth.routine(birth.argument);
}

}  // namespace

void PrepareThreadHooks() { NextSymbol(&g_pthread_create, "pthread_create"); }

void AwaitUnseenBirths() {
  constexpr int kMaxPauses = 1000;
  const timespec pause{0, 100'000};
  for (int i = 0; i < kMaxPauses && g_unseen_births.load() != 0; ++i)
    sigsafe::Syscall(SYS_nanosleep, sigsafe::Arg(&pause), 0);
}

}  // namespace pyrometer::agent

PYRO_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*),
                             void* argument) {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  NextSymbol(&g_pthread_create, "pthread_create");
  g_unseen_births.fetch_add(1);
  if (!g_agent.active.load()) {
    const int result = g_pthread_create(thread, attr, routine, argument);
    g_unseen_births.fetch_sub(1);
    return result;
  }
  g_unseen_births.fetch_sub(1);
  void* page = pyrometer::sigsafe::MapPages(sizeof(Birth));
  if (page == nullptr) return g_pthread_create(thread, attr, routine, argument);
  const ThreadRecord* parent = CurrentThread();
  *static_cast<Birth*>(page) = {routine, argument,
                                parent != nullptr && parent->program_blocks_signal};
  const int result = g_pthread_create(thread, attr, RunThread, page);
  if (result != 0) pyrometer::sigsafe::UnmapPages(page, sizeof(Birth));
  return result;
}

// Unlike dlopen, dlclose does not care who calls it, so it can be wrapped.
PYRO_HOOK int dlclose(void* handle) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  const int result = NextSymbol(&g_dlclose, "dlclose")(handle);
  g_agent.unloads.fetch_add(1, std::memory_order_relaxed);
  return result;
}
