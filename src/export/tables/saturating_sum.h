// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pyrometer::export_ {

// Hostile weights must not wrap around; what formats can hold ends far below anyway.
inline uint64_t SaturatingSum(uint64_t a, uint64_t b) {
  return std::min(a, std::numeric_limits<uint64_t>::max() - b) + b;
}

}  // namespace pyrometer::export_
