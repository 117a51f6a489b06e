// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {

// Turns amounts into whole numbers of a larger unit, one after the other. What one
// loses goes to the next, so that the total is as exact as one of them.
class RoundedTotal {
 public:
  explicit RoundedTotal(uint64_t unit) : unit_(unit) {}

  uint64_t Next(uint64_t amount) {
    const uint64_t all = SaturatingSum(amount, rest_);
    rest_ = all % unit_;
    return all / unit_;
  }

 private:
  const uint64_t unit_;
  uint64_t rest_ = 0;
};

}  // namespace pyrometer::export_
