// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// What the kernel's scheduler has counted for one thread.
struct Schedule {
  uint64_t run_ns = 0;     // time on a CPU; exact while the thread is not on one
  uint64_t queued_ns = 0;  // time spent runnable, waiting for a CPU
  uint64_t slices = 0;     // times it was put on a CPU
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// The system call that a thread is blocked in.
struct BlockedCall {
  int64_t number = -1;  // -1: blocked, but not in a system call
  uint64_t args[6] = {};
  uint64_t stack_pointer = 0;
  uint64_t instruction = 0;
};

// Looks at one thread of any process through /proc, without touching it.
// Keeps its two files open, because a look must be cheap.
//
// Thread-safety: one owner.
class ThreadStatus {
 public:
  ThreadStatus(pid_t pid, pid_t tid);

  // This process may not open more files: nothing will be known of the thread.
  bool out_of_files() const { return out_of_files_; }

  // Empty: the thread is gone.
  std::optional<Schedule> ReadSchedule() const;
  // Empty: it is running or runnable, or the kernel does not tell.
  std::optional<BlockedCall> ReadBlockedCall() const;

 private:
  bool out_of_files_ = false;
  base::ScopedFd schedule_;
  base::ScopedFd call_;
};

}  // namespace pyrometer::os
