// SPDX-License-Identifier: Apache-2.0
// The door of the agent that is preloaded: start-up before main, for the Python that is there, and
// the making of a key for thread-specific data, for one that the program loads later.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/interpreter.h"
#include "agent/core/loaded_python.h"
#include "agent/core/next_symbol.h"
#include "agent/doors/recording.h"
#include "agent/guest/environment.h"
#include "agent/python/profile_builtin.h"
#include "base/record_options.h"

namespace pyrometer::agent {
namespace {

using KeyFunction = int (*)(pthread_key_t*, void (*)(void*));
KeyFunction g_pthread_key_create;
std::atomic<bool> g_awaits_python;  // no interpreter yet, but the program may load one

// `key` was made: perhaps by a Python that the program has loaded and that starts up. It has a
// key for the thread's state in its _PyRuntime, on every version, and makes it before it runs
// any code. Loading it is no such moment: who loads a library does not know whose call that is,
// and nobody can stand before dlopen, which looks at its caller.
void LookForPython(const pthread_key_t* key) {
  void* library = FindLoadedPython(key);
  if (library == nullptr || !g_awaits_python.exchange(false)) return;
  g_agent.interpreter = FindInterpreter(library);
  Start(g_agent.options, {.before_main = false, .chooses_allocators = true});
}

// glibc gives every constructor what main gets.
__attribute__((constructor)) void Enter(int, char** arguments, char**) {
  const char* text = getenv(base::kRecordVariable);
  base::RecordOptions options;
  if (text == nullptr || !base::ParseOptions(text, &options)) return;
  Prepare(options);
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
  if (options.profile_builtin && !chooses_allocators) AddProfileBuiltin();
  Start(options, {.before_main = true, .chooses_allocators = chooses_allocators});
}

}  // namespace
}  // namespace pyrometer::agent

PYRO_HOOK int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  const int result = NextSymbol(&g_pthread_key_create, "pthread_key_create")(key, destructor);
  if (result == 0 && g_awaits_python.load(std::memory_order_relaxed)) LookForPython(key);
  return result;
}
