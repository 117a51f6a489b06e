// SPDX-License-Identifier: Apache-2.0
// The session directory is its owner's alone. A process that becomes another user, which only
// root can do, could open no ring after that: before it does, it makes a folder in the session
// directory in which that user, and nobody else, can make rings.
//
// Context: any thread, also the child of a vfork: system calls only.
#include "agent/guest/user_hooks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/core/next_symbol.h"
#include "agent/core/session_path.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

using OneUser = int (*)(uid_t);
using TwoUsers = int (*)(uid_t, uid_t);
using ThreeUsers = int (*)(uid_t, uid_t, uid_t);
OneUser g_setuid, g_seteuid;
TwoUsers g_setreuid;
ThreeUsers g_setresuid;

constexpr uid_t kUnchanged = static_cast<uid_t>(-1);

void MakeRoomFor(uid_t user) {
  const char* session = g_agent.options.session;
  if (g_agent.record_variable == nullptr || session[0] == '\0' || user == kUnchanged ||
      user == static_cast<uid_t>(Syscall(SYS_geteuid)))
    return;
  SessionPath path(session);
  path.Add("/").Add(uint64_t{user});
  if (Syscall(SYS_mkdirat, AT_FDCWD, Arg(path.text), S_IRWXU) != 0) return;
  Syscall(SYS_fchownat, AT_FDCWD, Arg(path.text), static_cast<long>(user), -1, AT_SYMLINK_NOFOLLOW);
  // To pass through, not to look around.
  Syscall(SYS_fchmodat, AT_FDCWD, Arg(session), S_IRWXU | S_IXGRP | S_IXOTH);
}

}  // namespace

void PrepareUserHooks() {
  NextSymbol(&g_setuid, "setuid");
  NextSymbol(&g_seteuid, "seteuid");
  NextSymbol(&g_setreuid, "setreuid");
  NextSymbol(&g_setresuid, "setresuid");
}

}  // namespace pyrometer::agent

using namespace pyrometer::agent;  // NOLINT(google-build-using-namespace)

PYRO_HOOK int setuid(uid_t user) noexcept {
  MakeRoomFor(user);
  return NextSymbol(&g_setuid, "setuid")(user);
}

PYRO_HOOK int seteuid(uid_t user) noexcept {
  MakeRoomFor(user);
  return NextSymbol(&g_seteuid, "seteuid")(user);
}

PYRO_HOOK int setreuid(uid_t real, uid_t effective) noexcept {
  MakeRoomFor(effective);
  return NextSymbol(&g_setreuid, "setreuid")(real, effective);
}

PYRO_HOOK int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  MakeRoomFor(effective);
  return NextSymbol(&g_setresuid, "setresuid")(real, effective, saved);
}
