// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capture/core/held_samples.h"
#include "capture/stacks/thread_stack.h"
#include "cpython/greenlet_thread.h"
#include "format/records.h"

namespace pyrometer::capture {

// What the collector knows of one thread.
struct ThreadCapture {
  format::ThreadId id;
  uint32_t tid = 0;
  uint64_t pthread = 0;
  uint64_t start_ns = 0;
  // What its clocks showed when it began (transport::ThreadStart).
  uint64_t start_cpu_ns = 0;
  uint64_t start_queued_ns = 0;
  cpython::GreenletThread greenlets{};

  // On-CPU: the stack of the newest sample, and the thread's CPU clock then.
  ThreadStack stack;
  uint64_t cpu_ns = 0;
  HeldSamples held;
  uint64_t samples = 0;     // of CPU time, so far
  uint64_t surplus_ns = 0;  // by how much they are worth more than the clock says

  format::StackId leaf() const { return stack.leaf(); }
};

}  // namespace pyrometer::capture
