// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "format/records.h"

namespace pyrometer::capture {

// What a sampled request of `bytes` stands for. `marks` that lie in it were drawn, one from each
// piece of weight / marks bytes (agent/engines/memory/byte_sampler.h); 0: all such requests were
// recorded, and it stands for itself. REQUIRES: bytes <= 2^50 and weight <= 2^40, which keep every
// part of the result below 2^61.
inline format::MemoryAmount EstimateMemory(uint64_t bytes, uint64_t weight, uint32_t marks) {
  if (bytes == 0 || marks == 0) return {bytes, 1, 1, 0};
  constexpr double kBytes2PerKib2 = 1024.0 * 1024.0;
  const auto w = static_cast<double>(weight);
  const double x = static_cast<double>(bytes) * marks / w;  // pieces that it is long
  // Of the number of marks in a request, over its mean: the ends of pieces lie anywhere in it.
  const double scatter = x <= 1 ? 1 - x + x * x / 3 : 1 / (3 * x);
  const auto rounded = [](double value) { return static_cast<uint64_t>(std::llround(value)); };
  return {weight, std::max<uint64_t>(1, rounded(w / static_cast<double>(bytes))), 1,
          rounded(w * w / marks * scatter / kBytes2PerKib2)};
}

}  // namespace pyrometer::capture
