// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// What the kernel tells in /proc about the threads of this process. By bare system calls into
// memory of the caller: no heap, no lock.
namespace pyrometer::agent {

// How long the thread was runnable without a CPU so far; 0 if that cannot be read.
uint64_t QueuedNs(uint32_t tid);

// Memory of this process that is resident, and the most that ever was; zeros if that cannot be
// read.
struct ResidentMemory {
  uint64_t bytes;
  uint64_t peak_bytes;
};
ResidentMemory ReadResidentMemory();

// Whether the program has blocked the signal in the thread, as far as that can be read.
bool HasBlocked(uint32_t tid, int signal_number);

// The numbers of the threads of this process, as a list that is being read. One that begins or
// ends meanwhile may be in it or not, and may hide another.
class TaskList {
 public:
  TaskList();
  ~TaskList();
  TaskList(const TaskList&) = delete;
  TaskList& operator=(const TaskList&) = delete;

  // 0: there are no more.
  uint32_t Next();

 private:
  long fd_;
  long at_ = 0;
  long size_ = 0;
  alignas(8) char entries_[2048];
};

}  // namespace pyrometer::agent
