// SPDX-License-Identifier: Apache-2.0
// A program that starts another one hands on an environment from which we have
// taken our variables. These hooks put them back for the new program alone, so
// that a Python started that way is profiled as well, whatever environment it
// is given.
//
// Context: any thread, also the child of a vfork, which shares its parent's
// memory: everything is built on the stack.
#include "agent/guest/exec_hooks.h"

#include <alloca.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/in_recording.h"
#include "agent/core/next_symbol.h"
#include "agent/guest/exec_target.h"
#include "agent/guest/signal_hooks.h"
#include "base/record_options.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using ExecFunction = int (*)(const char*, char* const*, char* const*);
using FexecFunction = int (*)(int, char* const*, char* const*);
using SpawnFunction = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*);
ExecFunction g_execve, g_execvpe;
FexecFunction g_fexecve;
SpawnFunction g_posix_spawn, g_posix_spawnp;

size_t Count(char* const* entries) {
  size_t n = 0;
  if (entries != nullptr)
    while (entries[n] != nullptr) ++n;
  return n;
}

const char* FindPreload(char* const* environment) {
  for (size_t i = 0; environment != nullptr && environment[i] != nullptr; ++i)
    if (std::strncmp(environment[i], "LD_PRELOAD=", 11) == 0) return environment[i] + 11;
  return nullptr;
}

void Put(char** out, const char* text) {
  while (*text != '\0') *(*out)++ = *text++;
  **out = '\0';
}

// Room that WithAgent needs for strings.
size_t TextBytes(char* const* environment) {
  const char* preload = FindPreload(environment);
  return 2 * (preload == nullptr ? 0 : std::strlen(preload)) + sizeof g_agent.library +
         sizeof base::kPreloadVariable + 32;
}

// The environment with our variables, in `entries` and `text`. What we add
// comes last, as the launcher does it.
char* const* WithAgent(char* const* environment, char** entries, char* text) {
  const char* preload = FindPreload(environment);
  char* line = text;
  Put(&text, "LD_PRELOAD=");
  Put(&text, g_agent.library);
  if (preload != nullptr && *preload != '\0') {
    Put(&text, ":");
    Put(&text, preload);
  }
  size_t n = 0;
  for (size_t i = 0; environment != nullptr && environment[i] != nullptr; ++i)
    entries[n++] = std::strncmp(environment[i], "LD_PRELOAD=", 11) == 0 ? line : environment[i];
  if (preload == nullptr) {
    entries[n++] = line;
  } else {
    entries[n++] = ++text;
    Put(&text, base::kPreloadVariable);
    Put(&text, "=");
    Put(&text, preload);
  }
  entries[n++] = g_agent.record_variable;
  entries[n] = nullptr;
  return entries;
}

// Whether what this process starts is to be profiled too. With --no-children
// that is what it becomes itself, and whatever a program starts that is no
// Python: a shell, on the way to the first one.
bool Propagates(bool in_child) {
  if (g_agent.record_variable == nullptr || g_agent.library[0] == '\0') return false;
  return g_agent.options.children || g_agent.interpreter.runtime == 0 || !in_child;
}

// Tells the collector that this process is about to become another program, for
// as long as it lives. A fork that only execs is then no process of its own.
class Replacing {
 public:
  Replacing() { Set(transport::ProcessState::kReplaced); }
  ~Replacing() { Set(transport::ProcessState::kActive); }  // exec has failed
  Replacing(const Replacing&) = delete;
  Replacing& operator=(const Replacing&) = delete;

 private:
  // The child of a vfork has its parent's memory, and with it its parent's ring.
  static void Set(transport::ProcessState state) {
    if (!IsOwnProcess(g_agent)) return;
    const InRecording inside;
    if (inside) g_agent.ring.header()->state = state;
  }
};

}  // namespace

void PrepareExecHooks() {
  NextSymbol(&g_execve, "execve");
  NextSymbol(&g_execvpe, "execvpe");
  NextSymbol(&g_fexecve, "fexecve");
  NextSymbol(&g_posix_spawn, "posix_spawn");
  NextSymbol(&g_posix_spawnp, "posix_spawnp");
}

}  // namespace pyrometer::agent

// alloca must be called in the function that passes the result on.
#define PYRO_WITH_AGENT(wanted, environment)                                                   \
  ((wanted) ? WithAgent(environment,                                                           \
                        static_cast<char**>(alloca((Count(environment) + 3) * sizeof(char*))), \
                        static_cast<char*>(alloca(TextBytes(environment))))                    \
            : (environment))

using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)

PYRO_HOOK int execve(const char* path, char* const* argv, char* const* envp) noexcept {
  const Replacing replacing;
  const HandedOnMask mask;
  const bool wanted = Propagates(!IsOwnProcess(g_agent)) && TakesAgent(path);
  return NextSymbol(&g_execve, "execve")(path, argv, PYRO_WITH_AGENT(wanted, envp));
}

PYRO_HOOK int execv(const char* path, char* const* argv) noexcept {
  const Replacing replacing;
  const HandedOnMask mask;
  const bool wanted = Propagates(!IsOwnProcess(g_agent)) && TakesAgent(path);
  return NextSymbol(&g_execve, "execve")(path, argv, PYRO_WITH_AGENT(wanted, environ));
}

PYRO_HOOK int execvp(const char* file, char* const* argv) noexcept {
  const Replacing replacing;
  const HandedOnMask mask;
  const bool wanted = Propagates(!IsOwnProcess(g_agent)) && TakesAgentOnPath(file);
  return NextSymbol(&g_execvpe, "execvpe")(file, argv, PYRO_WITH_AGENT(wanted, environ));
}

PYRO_HOOK int execvpe(const char* file, char* const* argv, char* const* envp) noexcept {
  const Replacing replacing;
  const HandedOnMask mask;
  const bool wanted = Propagates(!IsOwnProcess(g_agent)) && TakesAgentOnPath(file);
  return NextSymbol(&g_execvpe, "execvpe")(file, argv, PYRO_WITH_AGENT(wanted, envp));
}

PYRO_HOOK int fexecve(int fd, char* const* argv, char* const* envp) noexcept {
  const Replacing replacing;
  const HandedOnMask mask;
  const bool wanted = Propagates(!IsOwnProcess(g_agent)) && TakesAgent(fd);
  return NextSymbol(&g_fexecve, "fexecve")(fd, argv, PYRO_WITH_AGENT(wanted, envp));
}

PYRO_HOOK int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attr, char* const* argv, char* const* envp) {
  const HandedOnMask mask;
  const bool wanted = Propagates(true) && TakesAgent(path);
  return NextSymbol(&g_posix_spawn, "posix_spawn")(pid, path, actions, attr, argv,
                                                   PYRO_WITH_AGENT(wanted, envp));
}

PYRO_HOOK int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attr, char* const* argv, char* const* envp) {
  const HandedOnMask mask;
  const bool wanted = Propagates(true) && TakesAgentOnPath(file);
  return NextSymbol(&g_posix_spawnp, "posix_spawnp")(pid, file, actions, attr, argv,
                                                     PYRO_WITH_AGENT(wanted, envp));
}
