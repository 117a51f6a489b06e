// SPDX-License-Identifier: Apache-2.0
// The front door of the agent when it is preloaded: start-up before main, the
// hooks on thread creation and unloading, and the child side of a fork.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <type_traits>

#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/environment.h"
#include "agent/exec_hooks.h"
#include "agent/exit_hooks.h"
#include "agent/hook.h"
#include "agent/loaded_python.h"
#include "agent/memory_hooks.h"
#include "agent/next_symbol.h"
#include "agent/profile_builtin.h"
#include "agent/profiled_code.h"
#include "agent/signal_hooks.h"
#include "agent/thread_registry.h"
#include "agent/user_hooks.h"
#include "sigsafe/pages.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

constinit Agent g_agent{};
static_assert(std::is_trivially_destructible_v<Agent>);

namespace {

using CreateFunction = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
CreateFunction g_pthread_create;
using CloseFunction = int (*)(void*);
CloseFunction g_dlclose;
using KeyFunction = int (*)(pthread_key_t*, void (*)(void*));
KeyFunction g_pthread_key_create;
std::atomic<bool> g_awaits_python;  // no interpreter yet, but the program may load one
std::atomic<int> g_unseen_births;   // threads that are being made without a record

// What a new thread is to run. Lives in pages of its own, because the
// program's heap is none of our business.
struct Birth {
  void* (*routine)(void*);
  void* argument;
  bool blocks_signal;
  bool may_be_listed;
};

void* RunThread(void* raw) {
  const Birth birth = *static_cast<Birth*>(raw);
  sigsafe::UnmapPages(raw, sizeof(Birth));
  StartThread(false, 0, birth.may_be_listed);
  if (ThreadRecord* record = CurrentThread(); record != nullptr) {
    record->program_blocks_signal = birth.blocks_signal;
    UnblockSignal();
  }
  return birth.routine(birth.argument);
}

void OnForkChild() {
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  if (!g_agent.active.load(std::memory_order_relaxed)) return;
  transport::RingHeader* parents = g_agent.ring.header();
  sigsafe::UnmapPages(parents, transport::kHeaderBytes + parents->ring_bytes);
  g_agent.ring = {};
  // Modules and code are told anew: this process has a ring of its own.
  g_agent.codes.Clear();
  g_agent.modules.Clear();
  ForgetProfiledCode();
  const bool on = g_agent.options.children && OpenRing(&g_agent);
  g_agent.active = on;
  RestartMemoryAfterFork(on);
  if (on) RestartAfterFork();
}

void FindOurselves(Agent* agent) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&OnForkChild), &info) != 0) {
    agent->agent_start = reinterpret_cast<uint64_t>(info.dli_fbase);
    if (const size_t length = std::strlen(info.dli_fname); length < sizeof agent->library)
      std::memcpy(agent->library, info.dli_fname, length + 1);
  }
  const ssize_t length =
      readlink("/proc/self/exe", agent->executable, sizeof agent->executable - 1);
  agent->executable[length > 0 ? length : 0] = '\0';
}

// When the interpreter of this process was found.
struct Moment {
  bool before_main;
  bool chooses_allocators;  // or may do so: see interpreter.h
};

// Where the stack of the calling thread ends, which is not the main one; 0: not known.
uint64_t OwnStackEnd() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* stack = nullptr;
  size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &stack, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return known ? reinterpret_cast<uint64_t>(stack) + bytes : 0;
}

// What another thread had begun to make before recording was switched on is in the list of
// threads when this is over. Nobody waits for us there, but it may be without a CPU.
void AwaitUnseenBirths() {
  constexpr int kMaxPauses = 1000;
  const timespec pause{0, 100'000};
  for (int i = 0; i < kMaxPauses && g_unseen_births.load() != 0; ++i)
    sigsafe::Syscall(SYS_nanosleep, sigsafe::Arg(&pause), 0);
}

void StartFirstThread(const Moment& moment) {
  const bool is_main = static_cast<uint32_t>(sigsafe::Syscall(SYS_gettid)) == g_agent.process;
  StartThread(is_main, is_main ? 0 : OwnStackEnd());
  if (!moment.before_main) {
    AwaitUnseenBirths();
    StartOtherThreads();
  }
  UnblockSignal();
}

// Begins to record this process, which has a Python.
void StartRecording(const Moment& moment) {
  if (g_agent.interpreter.supported) g_agent.signal_number = TakeSignal();
  if (!OpenRing(&g_agent) || !g_agent.interpreter.supported || g_agent.signal_number == 0) return;
  NextSymbol(&g_pthread_create, "pthread_create");
  if (!PrepareThreads(g_pthread_key_create)) return;
  pthread_atfork(nullptr, nullptr, OnForkChild);
  PrepareExitHooks();
  if (!moment.before_main) ExpectOtherThreads();
  g_agent.active.store(true);
  StartFirstThread(moment);
  if (g_agent.options.memory) StartMemory(moment.chooses_allocators, moment.before_main);
}

// `key` was made: perhaps by a Python that the program has loaded and that starts up. It has a
// key for the thread's state in its _PyRuntime, on every version, and makes it before it runs
// any code. Loading it is no such moment: who loads a library does not know whose call that is,
// and nobody can stand before dlopen, which looks at its caller.
void LookForPython(const pthread_key_t* key) {
  void* library = FindLoadedPython(key);
  if (library == nullptr || !g_awaits_python.exchange(false)) return;
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  g_agent.interpreter = FindInterpreter(library);
  StartRecording({.before_main = false, .chooses_allocators = true});
}

// glibc gives every constructor what main gets.
__attribute__((constructor)) void Start(int, char** arguments, char**) {
  const char* text = getenv(base::kRecordVariable);
  if (text == nullptr || !base::ParseOptions(text, &g_agent.options)) return;
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  g_agent.tick_ns = TickNs();
  FindOurselves(&g_agent);
  PrepareExecHooks();
  PrepareUserHooks();
  PrepareMemoryHooks();
  g_agent.record_variable = HideFromEnvironment();
  NextSymbol(&g_pthread_key_create, "pthread_key_create");
  g_agent.interpreter = FindInterpreter(RTLD_DEFAULT);
  // Not a Python: nothing but hooks that pass on, those on exec, for a Python
  // further down, and the one for a Python that is loaded later.
  if (g_agent.interpreter.runtime == 0) {
    g_awaits_python = true;
    return;
  }
  // An interpreter with the debug hooks of its allocators stumbles over audit hooks
  // that are older than those, and that is what the builtin needs.
  const bool chooses_allocators = ChoosesAllocators(arguments);
  if (g_agent.options.profile_builtin && !chooses_allocators) AddProfileBuiltin();
  StartRecording({.before_main = true, .chooses_allocators = chooses_allocators});
}

}  // namespace
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
  *static_cast<Birth*>(page) = {
      routine, argument, parent != nullptr && parent->program_blocks_signal, ThreadsAreListed()};
  const int result = g_pthread_create(thread, attr, RunThread, page);
  if (result != 0) pyrometer::sigsafe::UnmapPages(page, sizeof(Birth));
  return result;
}

PYRO_HOOK int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  const int result = NextSymbol(&g_pthread_key_create, "pthread_key_create")(key, destructor);
  if (result == 0 && g_awaits_python.load(std::memory_order_relaxed)) LookForPython(key);
  return result;
}

// Unlike dlopen, dlclose does not care who calls it, so it can be wrapped.
PYRO_HOOK int dlclose(void* handle) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  const int result = NextSymbol(&g_dlclose, "dlclose")(handle);
  g_agent.unloads.fetch_add(1, std::memory_order_relaxed);
  return result;
}
