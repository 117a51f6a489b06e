// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

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

  // Copies `size` bytes at each of `addresses` to its place in `out`, many of them with
  // one system call. Returns how many, from the first on, were readable.
  size_t ReadEach(std::span<const uint64_t> addresses, std::span<uint8_t* const> out,
                  size_t size) const;

 private:
  pid_t pid_;
  bool use_vm_readv_;
  base::ScopedFd mem_;  // open only when process_vm_readv cannot be used
};

}  // namespace pyrometer::os
