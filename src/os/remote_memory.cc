// SPDX-License-Identifier: Apache-2.0
#include "os/remote_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace pyrometer::os {
namespace {

// Whether this process may use process_vm_readv on `pid` at all. Permission is
// checked before the address, so a read of the null page tells without needing
// to know any mapping.
bool CanUseVmReadv(pid_t pid) {
  char byte = 0;
  iovec local{&byte, 1};
  iovec remote{nullptr, 1};
  return ::process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT;
}

}  // namespace

RemoteMemory::RemoteMemory(pid_t pid) : pid_(pid), use_vm_readv_(CanUseVmReadv(pid)) {
  if (use_vm_readv_) return;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/mem", static_cast<int>(pid));
  mem_.Reset(::open(path, O_RDONLY | O_CLOEXEC));
}

bool RemoteMemory::Read(uint64_t address, void* out, size_t size) const {
  if (use_vm_readv_) {
    iovec local{out, size};
    iovec remote{reinterpret_cast<void*>(address), size};
    return ::process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
  }
  return mem_.valid() && ::pread64(mem_.get(), out, size, static_cast<off64_t>(address)) ==
                             static_cast<ssize_t>(size);
}

}  // namespace pyrometer::os
