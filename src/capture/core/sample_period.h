// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/record_options.h"

namespace pyrometer::capture {

// Of CPU time between two samples of a thread, in the long run.
inline uint64_t SamplePeriodNs(const base::RecordOptions& options) {
  constexpr uint64_t kSecondNs = 1'000'000'000;
  return kSecondNs / (options.rate_hz != 0 ? options.rate_hz : base::RecordOptions::kLaterRate);
}

// A little longer than asked for: in step with the kernel's tick, the tick would
// find the kernel busy with our own signal again and again.
inline uint64_t PerfPeriodNs(const base::RecordOptions& options) {
  return SamplePeriodNs(options) + SamplePeriodNs(options) / 61;
}

}  // namespace pyrometer::capture
