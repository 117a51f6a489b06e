// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "base/record_options.h"
#include "base/scoped_fd.h"
#include "capture/core/probe.h"

namespace pyrometer::capture {

// The perf event of each thread of a process, which makes its samples where that clock is asked
// for: the program itself may not be allowed to open any.
//
// Thread-safety: one owner.
class PerfClock final : public Probe {
 public:
  // REQUIRES: the target has an agent, which takes the signals.
  explicit PerfClock(const ProbeContext& context);

  void ThreadStarted(const ThreadCapture& thread) override;
  void ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) override;
  void Report(Counters& counters) const override;

 private:
  const transport::RingHeader& agent_;
  uint64_t period_ns_;
  std::map<uint32_t, base::ScopedFd> events_;  // by the thread's number
  uint64_t refused_ = 0;
};

}  // namespace pyrometer::capture
