// SPDX-License-Identifier: Apache-2.0
#include "agent/doors/recording.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <type_traits>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/in_recording.h"
#include "agent/core/recording_state.h"
#include "agent/core/thread_registry.h"
#include "agent/guest/exec_hooks.h"
#include "agent/guest/exit_hooks.h"
#include "agent/guest/signal_hooks.h"
#include "agent/guest/thread_hooks.h"
#include "agent/guest/user_hooks.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

constinit Agent g_agent{};
static_assert(std::is_trivially_destructible_v<Agent>);

namespace {

std::atomic<bool> g_changing;  // somebody is in Start() or Stop()
bool g_is_begun;               // and not ended. Changed by who is changing

void FindOurselves(Agent* agent) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&FindOurselves), &info) != 0) {
    agent->agent_start = reinterpret_cast<uint64_t>(info.dli_fbase);
    if (const size_t length = std::strlen(info.dli_fname); length < sizeof agent->library)
      std::memcpy(agent->library, info.dli_fname, length + 1);
  }
  const ssize_t length =
      readlink("/proc/self/exe", agent->executable, sizeof agent->executable - 1);
  agent->executable[length > 0 ? length : 0] = '\0';
}

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

void StartThreads(const Moment& moment) {
  const bool is_main = static_cast<uint32_t>(sigsafe::Syscall(SYS_gettid)) == g_agent.process;
  StartThread(is_main, is_main ? 0 : OwnStackEnd());
  if (!moment.before_main) {
    AwaitUnseenBirths();
    StartOtherThreads();
  }
  UnblockSignal();
}

void OnForkChild() {
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  const bool was_active = g_agent.active.exchange(false);
  const bool was_begun = g_is_begun;
  for (Agent::Door& door : g_agent.doors) door.inside = 0;
  g_agent.telling = false;
  g_changing = false;
  DropRing(&g_agent);
  const bool on = was_active && g_agent.options.children && OpenRing(&g_agent);
  g_is_begun = on;
  g_agent.active = on;
  if (was_begun) TellEngines(&Engine::fork_child, on);
  RestartAfterFork(on);
}

// What stays when a recording ends.
bool PrepareToRecord() {
  static bool done;
  if (done) return true;
  PrepareThreadHooks();
  if (!PrepareThreads()) return false;
  pthread_atfork(nullptr, nullptr, OnForkChild);
  PrepareExitHooks();
  return done = true;
}

// All that is to be released.
bool End() {
  if (!g_is_begun) return true;
  if (!AwaitNobodyInside()) return false;
  TellEngines(&Engine::stop);
  EndAllThreads();
  DropRing(&g_agent);
  g_is_begun = false;
  return true;
}

bool Begin(const base::RecordOptions& options, const Moment& moment) {
  if (!End()) return false;
  DropRing(&g_agent);  // one that says why there was no recording
  g_agent.options = options;
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  const bool is_unknown = g_agent.interpreter.IsUnknown();
  if (!is_unknown) g_agent.signal_number = TakeSignal();
  if (!OpenRing(&g_agent) || is_unknown || g_agent.signal_number == 0 || !PrepareToRecord())
    return false;
  g_agent.told = transport::RecordingState::kOn;
  g_is_begun = true;
  g_agent.active.store(true);
  StartThreads(moment);
  TellEngines(&Engine::start, moment);
  RecordingIsOn();  // where it begins paused, that is the first thing the engines learn
  return true;
}

}  // namespace

void Prepare(const base::RecordOptions& options) {
  g_agent.options = options;
  g_agent.process = static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
  g_agent.tick_ns = TickNs();
  FindOurselves(&g_agent);
  PrepareExecHooks();
  PrepareUserHooks();
  TellEngines(&Engine::prepare);
}

bool Start(const base::RecordOptions& options, const Moment& moment) {
  if (g_changing.exchange(true)) return false;
  const bool begun = !g_agent.active && Begin(options, moment);
  g_changing = false;
  return begun;
}

bool Stop() {
  if (g_changing.exchange(true)) return false;
  if (g_agent.active) {
    g_agent.ring.header()->recording = transport::RecordingState::kStopped;
    g_agent.active = false;
  }
  const bool ended = End();
  g_changing = false;
  return ended;
}

}  // namespace pyrometer::agent
