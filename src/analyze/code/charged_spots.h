// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "analyze/code/frame_table.h"

namespace pyrometer::analyze {

// A spot of the frame table, or none, in as much room as a number.
class OptionalSpot {
 public:
  OptionalSpot() = default;
  explicit OptionalSpot(uint32_t spot) : spot_(spot) {}

  explicit operator bool() const { return spot_ != kNone; }
  // REQUIRES: there is one.
  uint32_t operator*() const { return spot_; }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint32_t spot_ = kNone;
};

// What the time and the memory of a stack are charged to.
struct ChargedSpots {
  OptionalSpot self;    // the innermost
  OptionalSpot scoped;  // the innermost in scope
  OptionalSpot line;    // the same, or where only functions with @profile have lines, that of them

  // Those of the caller become those of the Python frame `spot` that it calls.
  void Enter(const FrameTable& frames, uint32_t spot_index, bool profiled_only) {
    const FrameTable::Spot& spot = frames.spots()[spot_index];
    const bool in_scope = frames.InScope(spot);
    self = OptionalSpot(spot_index);
    if (in_scope) scoped = self;
    if (profiled_only ? frames.functions()[spot.function].profiled : in_scope) line = self;
  }
};

}  // namespace pyrometer::analyze
