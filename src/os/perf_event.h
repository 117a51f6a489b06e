// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/result.h"
#include "base/scoped_fd.h"

namespace pyrometer::os {

// Opens a task-clock event on thread `tid` of any process of ours that sends
// it `signal_number` after each `period_ns` of its CPU time spent in user
// code. (Kernel time is left out: such a signal could end a blocking call.)
// The event lasts as long as the descriptor, and does nothing before it is
// enabled. The Error names what forbids it.
base::Result<base::ScopedFd> OpenPerfEvent(pid_t tid, uint64_t period_ns, int signal_number);
void EnablePerfEvent(const base::ScopedFd& event);

// Whether this user may open such events at all.
base::Status CheckPerfEvents();

}  // namespace pyrometer::os
