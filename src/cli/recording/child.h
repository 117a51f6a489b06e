// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scoped_fd.h"
#include "cli/recording/group_witness.h"

namespace pyrometer::cli {

struct ChildEnd {
  int status = 0;  // as of waitpid
  rusage usage{};
};

// The program under the profiler, as a child of this process: same terminal,
// same process group, same everything. Signals that are sent to this process
// are passed on to it. Who stops the job (Ctrl-Z, or the program itself) stops
// this process too, as a shell expects; a program that ignores Ctrl-Z goes on.
//
// Thread-safety: one per process; changes this process's signal mask.
class Child {
 public:
  // `environment` replaces the child's; `command[0]` is looked up on PATH. An
  // Error when the program cannot be executed.
  static base::Result<Child> Start(const std::vector<std::string>& command,
                                   const std::vector<std::string>& environment);
  Child(Child&&) = default;

  pid_t pid() const { return pid_; }
  // From now on `action` is called instead of passing signal `number` on.
  void Catch(int number, std::function<void()> action) {
    caught_ = number;
    action_ = std::move(action);
  }
  // Calls `tick` until the child has ended, which says after how many milliseconds it is to be
  // called again; -1: only when something happens.
  ChildEnd Wait(const std::function<int()>& tick);

 private:
  Child(pid_t pid, base::ScopedFd signals, std::unique_ptr<GroupWitness> witness)
      : pid_(pid), signals_(std::move(signals)), witness_(std::move(witness)) {}
  void ForwardSignals();
  // The child was stopped by `signal`.
  void StopToo(int signal);

  pid_t pid_;
  base::ScopedFd signals_;
  std::unique_ptr<GroupWitness> witness_;
  bool asked_to_stop_ = false;  // by the terminal, or by a signal to us
  int caught_ = 0;
  std::function<void()> action_;
};

// Ends this process as the child has ended: with its exit code, or by its
// signal.
[[noreturn]] void ExitLike(int status);

}  // namespace pyrometer::cli
