// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "format/records.h"

namespace pyrometer::capture {

// What a sampled request of `bytes` stands for, when bytes were sampled at a mean
// distance of `interval` bytes (0: all were). It had the probability p of being
// sampled, so it stands for 1 / p requests like it. REQUIRES: bytes <= 2^50 and
// interval <= 2^40, which keep every part of the result below 2^61.
inline format::MemoryAmount EstimateMemory(uint64_t bytes, uint64_t interval) {
  if (bytes == 0 || interval == 0) return {bytes, 1, 1, 0};
  constexpr double kBytes2PerKib2 = 1024.0 * 1024.0;
  const double n = static_cast<double>(bytes);
  // Without the loss of digits that 1 - exp(-x) has for small x.
  const double p = -std::expm1(-n / static_cast<double>(interval));
  const auto rounded = [](double value) { return static_cast<uint64_t>(std::llround(value)); };
  return {rounded(n / p), rounded(1 / p), 1, rounded(n * n * (1 - p) / (p * p) / kBytes2PerKib2)};
}

}  // namespace pyrometer::capture
