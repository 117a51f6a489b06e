// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// Reads the memory of another process without stopping it. Uses
// process_vm_readv; where that is forbidden or missing, /proc/PID/mem.
// Satisfies cpython::MemoryReader.
//
// Thread-safety: const methods may be called from several threads.
class RemoteMemory {
 public:
  explicit RemoteMemory(pid_t pid);

  // Copies `size` bytes at `address`; false, with the output undefined, unless
  // all of them were readable.
  bool Read(uint64_t address, void* out, size_t size) const;

 private:
  pid_t pid_;
  bool use_vm_readv_;
  base::ScopedFd mem_;  // open only when process_vm_readv cannot be used
};

}  // namespace pyrometer::os
