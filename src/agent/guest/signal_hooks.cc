// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/signal_hooks.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/engine.h"
#include "agent/core/hook.h"
#include "agent/core/in_recording.h"
#include "agent/core/next_symbol.h"
#include "agent/core/thread_registry.h"
#include "sigsafe/syscall.h"
#include "unwind/loaded_modules.h"

// Our signal is the program's as well: it can install a handler for it, block
// it, ask for both, and gets the answers that it would get without us. Only
// the kernel knows that the handler is ours and that the signal is not blocked.

extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*) noexcept;

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

// What the program has installed for our signal. Written by the hook below;
// a torn read would need a program that changes it while its own signals fly.
struct sigaction g_program_action;

using MaskFunction = int (*)(int, const sigset_t*, sigset_t*);
MaskFunction g_pthread_sigmask;
MaskFunction g_sigprocmask;
using SignalFunction = sighandler_t (*)(int, sighandler_t);
SignalFunction g_signal;

// The handlers of the interpreter return. Of others nobody knows.
void NoteHandler(const void* handler) {
  const auto address = reinterpret_cast<uint64_t>(handler);
  if (handler == reinterpret_cast<void*>(SIG_DFL) || handler == reinterpret_cast<void*>(SIG_IGN))
    return;
  const unwind::LoadedModules modules;
  unwind::Module runtime;
  if (!modules.Find(g_agent.interpreter.eval.begin, &runtime) || !runtime.Contains(address))
    g_agent.handlers_may_leave.store(true, std::memory_order_relaxed);
}

// The default action of such a signal is to end the process.
void DieOf(int number) {
  struct sigaction defaults;
  std::memset(&defaults, 0, sizeof defaults);
  defaults.sa_handler = SIG_DFL;
  __sigaction(number, &defaults, nullptr);
  const uint64_t bit = uint64_t{1} << (number - 1);
  Syscall(SYS_tgkill, Syscall(SYS_getpid), Syscall(SYS_gettid), number);
  Syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, Arg(&bit), 0, 8);
}

void PassToProgram(int number, siginfo_t* info, void* context) {
  if (const InRecording inside; inside) ++g_agent.ring.header()->counters.foreign_signals;
  const struct sigaction action = g_program_action;
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler == SIG_DFL) return DieOf(number);
  // The handler runs under the mask that the kernel would have given it.
  auto* machine = static_cast<ucontext_t*>(context);
  uint64_t mask, wanted;
  std::memcpy(&mask, &machine->uc_sigmask, sizeof mask);
  std::memcpy(&wanted, &action.sa_mask, sizeof wanted);
  mask |= wanted;
  Syscall(SYS_rt_sigprocmask, SIG_SETMASK, Arg(&mask), 0, 8);
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
}

void Handle(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (!GiveToEngines(info, context)) PassToProgram(number, info, context);
  errno = saved_errno;
}

// A change of the mask as the program asks for it, kept from our signal.
int ChangeMask(MaskFunction real, int how, const sigset_t* set, sigset_t* old) {
  ThreadRecord* record = CurrentThread();
  const int ours = g_agent.signal_number;
  if (record == nullptr || ours == 0) return real(how, set, old);
  const bool was_blocked = record->program_blocks_signal;
  int result;
  if (set != nullptr && sigismember(set, ours) == 1) {
    sigset_t without = *set;
    sigdelset(&without, ours);
    result = real(how, &without, old);
    if (result == 0) record->program_blocks_signal = how != SIG_UNBLOCK;
  } else {
    result = real(how, set, old);
    if (result == 0 && set != nullptr && how == SIG_SETMASK) record->program_blocks_signal = false;
  }
  if (result == 0 && old != nullptr && was_blocked) sigaddset(old, ours);
  return result;
}

// Makes `number` ours unless somebody uses it.
bool Install(int number) {
  struct sigaction current;
  if (__sigaction(number, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) return false;
  g_program_action = current;
  struct sigaction ours;
  std::memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = Handle;
  // SA_ONSTACK: runtimes with small stacks of their own require it of every
  // handler in the process.
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  std::memset(&ours.sa_mask, 0xff, sizeof ours.sa_mask);
  return __sigaction(number, &ours, nullptr) == 0;
}

}  // namespace

int TakeSignal() {
  const bool needs_classic = g_agent.options.clock == base::Clock::kPerf;
  if (const int ours = g_agent.signal_number; ours != 0)
    return needs_classic && ours != SIGSTKFLT ? 0 : ours;
  NextSymbol(&g_pthread_sigmask, "pthread_sigmask");
  NextSymbol(&g_sigprocmask, "sigprocmask");
  NextSymbol(&g_signal, "signal");
  // Real-time signals queue, and when the queue is full the kernel sends the
  // SIGIO of a perf event instead, which kills. A classic signal that is pending
  // already just stays so. This one is raised by nothing on this hardware.
  if (needs_classic && Install(SIGSTKFLT)) return SIGSTKFLT;
  // From the middle of the real-time range: programs that use such signals
  // count from SIGRTMIN up or from SIGRTMAX down.
  const int middle = (SIGRTMIN + SIGRTMAX) / 2;
  for (int number = middle; number < SIGRTMAX; ++number)
    if (Install(number)) return number;
  return 0;
}

void UnblockSignal() {
  const uint64_t bit = uint64_t{1} << (g_agent.signal_number - 1);
  uint64_t old = 0;
  Syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, Arg(&bit), Arg(&old), 8);
  if (ThreadRecord* record = CurrentThread(); record != nullptr && (old & bit) != 0)
    record->program_blocks_signal = true;
}

HandedOnMask::HandedOnMask() {
  const ThreadRecord* record = CurrentThread();
  blocked_ = record != nullptr && record->program_blocks_signal && g_agent.signal_number != 0;
  if (!blocked_) return;
  const uint64_t bit = uint64_t{1} << (g_agent.signal_number - 1);
  Syscall(SYS_rt_sigprocmask, SIG_BLOCK, Arg(&bit), 0, 8);
}

HandedOnMask::~HandedOnMask() {
  if (blocked_) UnblockSignal();
}

}  // namespace pyrometer::agent

using pyrometer::agent::g_agent;

PYRO_HOOK int sigaction(int number, const struct sigaction* action,
                        struct sigaction* old) noexcept {
  using pyrometer::agent::g_program_action;
  if (action != nullptr)
    pyrometer::agent::NoteHandler(reinterpret_cast<const void*>(action->sa_handler));
  if (number == 0 || number != g_agent.signal_number) return __sigaction(number, action, old);
  const struct sigaction before = g_program_action;
  if (action != nullptr) g_program_action = *action;
  if (old != nullptr) *old = before;
  return 0;
}

PYRO_HOOK sighandler_t signal(int number, sighandler_t handler) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  NoteHandler(reinterpret_cast<const void*>(handler));
  if (number == 0 || number != g_agent.signal_number) {
    return NextSymbol(&g_signal, "signal")(number, handler);
  }
  struct sigaction action, old;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, &old);
  return old.sa_handler;
}

PYRO_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  return ChangeMask(NextSymbol(&g_pthread_sigmask, "pthread_sigmask"), how, set, old);
}

PYRO_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)
  return ChangeMask(NextSymbol(&g_sigprocmask, "sigprocmask"), how, set, old);
}
