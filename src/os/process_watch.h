// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// Tells when a process ends that need not be our child. It reaps nothing, and
// a new process with an old number is not mistaken for it.
//
// Thread-safety: one owner.
class ProcessWatch {
 public:
  // The process that has this number now.
  explicit ProcessWatch(pid_t pid);

  bool Ended() const;
  // How it ended, as of waitpid. REQUIRES: Ended(). Empty where the kernel does
  // not say: before Linux 6.15 once its parent has waited for it; where it ended
  // well and its parent has not.
  std::optional<int> Status() const;

 private:
  pid_t pid_;
  base::ScopedFd fd_;  // invalid: it had ended already, or the kernel has none
};

}  // namespace pyrometer::os
