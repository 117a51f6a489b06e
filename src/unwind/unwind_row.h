// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace pyrometer::unwind {

// How to get from the registers at one pc to those of its caller.
//
//   address = base register + cfa_offset
//   kPlain:   CFA = address
//   kDeref:   CFA = *address + cfa_addend     (realigned stacks, signal frames)
//
// The CFA is the caller's sp. Each of the other registers is where `Where`
// says, at its offset. Zero-initialised means "no row".
struct UnwindRow {
  enum class Kind : uint8_t {
    kNone,  // not covered by unwind tables, or in a form we do not know
    kRoot,  // the tables say that nobody called this function
    kPlain,
    kDeref,
  };
  enum class Base : uint8_t { kSp, kBp, kAux };
  enum class Where : uint8_t {
    kSame,     // still in its register
    kAtCfa,    // *(CFA + offset)
    kAtSp,     // *(sp + offset)
    kAtBp,     // *(bp + offset)
    kUnknown,  // lost
  };

  Kind kind : 2;
  Base base : 2;
  bool is_signal_frame : 1;  // the caller was interrupted, not calling: its pc is exact
  Where ra_where : 3;
  Where bp_where : 3;
  Where aux_where : 3;
  int16_t ra_offset;
  int16_t bp_offset;
  int16_t aux_offset;
  int16_t cfa_addend;
  int32_t cfa_offset;

  friend bool operator==(const UnwindRow&, const UnwindRow&) = default;
};
static_assert(sizeof(UnwindRow) == 16);
static_assert(std::is_trivial_v<UnwindRow>);

}  // namespace pyrometer::unwind
