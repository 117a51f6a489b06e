// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>

#include "os/thread_priority.h"

namespace pyrometer::os {

void YieldToOthers() {
  // Of a thread, here; POSIX would have it of the process.
  constexpr int kLeast = 19;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLeast);
}

}  // namespace pyrometer::os
