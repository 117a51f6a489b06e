// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::capture {

// The time of a run: what a capture file counts from.
struct RunClock {
  uint64_t start_ns = 0;  // CLOCK_MONOTONIC

  uint64_t SinceStart(uint64_t monotonic_ns) const {
    return monotonic_ns > start_ns ? monotonic_ns - start_ns : 0;
  }
};

}  // namespace pyrometer::capture
