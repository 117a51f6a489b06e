// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unwind/cfa_program.h"
#include "unwind/memory_ref.h"

namespace pyrometer::unwind {

// The value of a DWARF expression while the registers are still unknown: what
// can be said about it before a walk, in one of three forms.
struct SymbolicValue {
  enum class Kind : uint8_t {
    kConstant,  // offset
    kBased,     // base + offset
    kLoaded,    // *(base + offset) + addend
  };
  enum class Base : uint8_t { kSp, kBp, kAux, kCfa };
  Kind kind = Kind::kConstant;
  Base base = Base::kSp;
  int64_t offset = 0;
  int64_t addend = 0;
};

// Evaluates `expression` for an instruction at `pc`, whose value is a constant
// (which makes the linker's PLT expression, a comparison of its low bits,
// resolve to sp + offset). The stack starts with the CFA if `cfa_on_stack`.
// False for anything that has none of the three forms.
//
// Signal-safety: safe.
bool EvaluateExpression(MemoryRef memory, const ExpressionBytes& expression, uint64_t pc,
                        bool cfa_on_stack, SymbolicValue* value);

}  // namespace pyrometer::unwind
