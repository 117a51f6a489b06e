// SPDX-License-Identifier: Apache-2.0
#include "os/remote_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
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

size_t RemoteMemory::ReadEach(std::span<const uint64_t> addresses, std::span<uint8_t* const> out,
                              size_t size) const {
  constexpr size_t kAtOnce = 64;
  size_t done = 0;
  while (done < addresses.size()) {
    if (!use_vm_readv_) {
      if (!Read(addresses[done], out[done], size)) break;
      ++done;
      continue;
    }
    iovec local[kAtOnce], remote[kAtOnce];
    const size_t count = std::min(kAtOnce, addresses.size() - done);
    for (size_t i = 0; i < count; ++i) {
      local[i] = {out[done + i], size};
      remote[i] = {reinterpret_cast<void*>(addresses[done + i]), size};
    }
    const ssize_t bytes = ::process_vm_readv(pid_, local, count, remote, count, 0);
    const size_t read = bytes < 0 ? 0 : static_cast<size_t>(bytes) / size;
    done += read;
    if (read < count) break;
  }
  return done;
}

}  // namespace pyrometer::os
