// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/held_samples.h"
#include "cpython/greenlet_thread.h"
#include "format/capture_writer.h"
#include "transport/records.h"

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
  std::string name;  // what the program calls it; empty: not known
  cpython::GreenletThread greenlets{};

  // On-CPU: the stack of the newest sample, root first, with the id of each
  // prefix, and the thread's CPU clock then.
  std::vector<transport::StackFrame> frames;
  std::vector<format::StackId> path;
  uint64_t cpu_ns = 0;
  HeldSamples held;
  uint64_t samples = 0;     // of CPU time, so far
  uint64_t surplus_ns = 0;  // by how much they are worth more than the clock says

  // Stacks that samples of memory may name again (transport::MemorySample).
  std::array<format::StackId, transport::kMaxSeenStacks> seen{};

  format::StackId leaf() const { return path.empty() ? format::kEmptyStack : path.back(); }
};

}  // namespace pyrometer::capture
