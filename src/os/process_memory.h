// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace pyrometer::os {

// Memory of a process that is in RAM, by the kernel's account; 0 when it is gone
// or the kernel does not say.
uint64_t ReadRssBytes(pid_t pid);
// The same with each shared page divided by the processes that share it. Walks
// the page tables: the more memory, the longer it takes, and meanwhile the process
// waits where it maps memory.
uint64_t ReadPssBytes(pid_t pid);

}  // namespace pyrometer::os
