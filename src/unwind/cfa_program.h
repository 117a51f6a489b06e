// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unwind/frame_description.h"
#include "unwind/memory_ref.h"

namespace pyrometer::unwind {

// Bytes of a DWARF expression, [begin, begin + size).
struct ExpressionBytes {
  uint64_t begin = 0;
  uint64_t size = 0;
};

// Where the caller's value of one register is.
struct RegisterRule {
  enum class Kind : uint8_t {
    kSame,         // untouched so far
    kUndefined,    // gone; for the return address: there is no caller
    kOffset,       // *(CFA + offset)
    kExpression,   // *(what the expression gives)
    kUnsupported,  // a rule that rows do not express
  };
  Kind kind = Kind::kSame;
  int64_t offset = 0;
  ExpressionBytes expression;
};

// How the CFA is found: register + offset, or an expression.
struct CfaRule {
  bool is_expression = false;
  uint64_t reg = 0;
  int64_t offset = 0;
  ExpressionBytes expression;
};

// The rules that hold in [begin, end), for the registers that a walk follows.
struct FrameRules {
  uint64_t begin = 0;
  uint64_t end = 0;
  CfaRule cfa;
  RegisterRule return_address;
  RegisterRule bp;
  RegisterRule aux;

  bool HasExpression() const {
    constexpr auto kExpression = RegisterRule::Kind::kExpression;
    return cfa.is_expression || return_address.kind == kExpression || bp.kind == kExpression ||
           aux.kind == kExpression;
  }
};

// Runs the call frame instructions of `description` up to `pc`. False at an
// unknown instruction or malformed bytes.
//
// Signal-safety: safe; about 1 KiB of stack.
bool RunCfaProgram(MemoryRef memory, const FrameDescription& description, uint64_t pc,
                   FrameRules* rules);

}  // namespace pyrometer::unwind
