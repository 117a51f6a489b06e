// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::agent {

// System time of a thread that is the agent's. A handler asks the kernel whether pages of
// the stack that it walks are there; on a stack of 20,000 frames that takes milliseconds,
// and ticks fall into it. The kernel shows such a tick as system time of the thread, often
// only after the next one, so it cannot be told from the program's by comparing accounts
// around the handler. What is known is how long handlers took.
//
// Owned by one thread's record; all zeros is a new one. Signal-safety: async-signal-safe.
class OwnSystemTime {
 public:
  // Handlers below that are mostly user time.
  static constexpr uint64_t kShortNs = 200'000;

  // A handler has used that much CPU time.
  void AddHandler(uint64_t ns) {
    if (ns < kShortNs) return;
    ns_ = ns_ + ns < kMaxNs ? ns_ + ns : kMaxNs;
  }
  // Whether a tick that the kernel counts as system time was that of handlers. It stands
  // for `interval_ns`.
  bool TakeTick(uint64_t interval_ns) {
    if (interval_ns == 0 || ns_ < interval_ns) return false;
    ns_ -= interval_ns;
    return true;
  }

 private:
  // What was not seen by then will not be.
  static constexpr uint64_t kMaxNs = 20'000'000;

  uint64_t ns_;
};

}  // namespace pyrometer::agent
