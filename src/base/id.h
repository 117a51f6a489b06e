// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace pyrometer::base {

// A 32-bit index into one table. Each table has its own Tag, so a stack id
// cannot be passed where a frame id is wanted. Trivial: may live in shared
// memory and in signal handlers.
template <class Tag>
struct Id {
  uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

}  // namespace pyrometer::base
