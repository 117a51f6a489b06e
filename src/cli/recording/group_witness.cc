// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/group_witness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "os/read_file.h"

namespace pyrometer::cli {
namespace {

uint64_t PendingSignals(pid_t pid) {
  const auto status = os::ReadFile("/proc/" + std::to_string(pid) + "/status", 1 << 16);
  constexpr char kField[] = "\nShdPnd:";
  const size_t at = status ? status->find(kField) : std::string::npos;
  if (at == std::string::npos) return 0;
  return strtoull(status->c_str() + at + sizeof kField - 1, nullptr, 16);
}

}  // namespace

GroupWitness::GroupWitness() { Start(); }

GroupWitness::~GroupWitness() { Stop(); }

void GroupWitness::Start() {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t launcher = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Nothing may stay open because of it.
    syscall(SYS_close_range, 0u, ~0u, 0u);
    while (getppid() == launcher) pause();
    _exit(0);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void GroupWitness::Stop() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool GroupWitness::Saw(int signal) {
  // The kernel signals one member after the other.
  const timespec moment{0, 2'000'000};
  nanosleep(&moment, nullptr);
  if (pid_ <= 0 || (PendingSignals(pid_) >> (signal - 1) & 1) == 0) return false;
  Stop();
  Start();
  return true;
}

}  // namespace pyrometer::cli
