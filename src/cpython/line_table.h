// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cpython/layout.h"

namespace pyrometer::cpython {

// How a code object maps instructions to source positions.
enum class LineTableKind : uint8_t {
  kLnotab,     // 3.8-3.9: address and line deltas
  kPairs,      // 3.10: the same with explicit gaps
  kLocations,  // 3.11+: lines and columns
};

LineTableKind LineTableFor(const Layout& layout);

struct Position {
  int line = 0;  // 0 = no line
  int end_line = 0;
  int column = -1;  // UTF-8 byte offsets, -1 = unknown
  int end_column = -1;

  friend bool operator==(const Position&, const Position&) = default;
};

// The position of the instruction at byte offset `instruction`;
// kBeforeFirstInstruction gives the first line. Damaged tables give no line.
// Signal-safety: async-signal-safe.
Position PositionAt(LineTableKind kind, std::span<const uint8_t> table, int first_line,
                    uint32_t instruction);

}  // namespace pyrometer::cpython
