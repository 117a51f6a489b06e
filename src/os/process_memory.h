// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// Memory of a process that is in RAM, by the kernel's account. Keeps its file open,
// because it is asked for again and again.
// Thread-safety: one owner.
class ResidentMemory {
 public:
  explicit ResidentMemory(pid_t pid);

  // 0 when the process is gone or the kernel does not say.
  uint64_t ReadBytes() const;

 private:
  base::ScopedFd file_;
};

// The most that a process ever had in RAM, by the kernel's account; 0 when it does not say.
uint64_t ReadPeakResidentBytes(pid_t pid);

// The same with each shared page divided by the processes that share it. Walks
// the page tables: the more memory, the longer it takes, and meanwhile the process
// waits where it maps memory.
uint64_t ReadPssBytes(pid_t pid);

}  // namespace pyrometer::os
