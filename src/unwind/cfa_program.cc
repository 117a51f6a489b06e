// SPDX-License-Identifier: Apache-2.0
#include "unwind/cfa_program.h"

#include <cstddef>

#include "unwind/byte_cursor.h"
#include "unwind/dwarf_constants.h"
#include "unwind/registers.h"

namespace pyrometer::unwind {
namespace {

// Unsigned, because hostile operands may overflow; wrapping is harmless here.
int64_t Scale(uint64_t count, int64_t align) {
  return static_cast<int64_t>(count * static_cast<uint64_t>(align));
}

// Interprets one CIE's and one FDE's instructions in turn.
class Interpreter {
 public:
  Interpreter(MemoryRef memory, const FrameDescription& description, uint64_t pc, FrameRules* rules)
      : memory_(memory),
        description_(description),
        pc_(pc),
        location_(description.pc_begin),
        begin_(description.pc_begin),
        rules_(*rules) {}

  bool Run() {
    if (!RunProgram(description_.initial)) return false;
    initial_ = rules_;
    has_initial_ = true;
    if (!RunProgram(description_.function)) return false;
    rules_.begin = begin_;
    rules_.end = location_ > pc_ ? location_ : description_.pc_end;
    return true;
  }

 private:
  static constexpr size_t kMaxRemembered = 8;

  bool RunProgram(const FrameDescription::Program& program) {
    ByteCursor cursor(memory_, program.begin, program.end);
    while (cursor.More() && location_ <= pc_) {
      begin_ = location_;
      if (!Execute(cursor)) return false;
    }
    return cursor.ok();
  }

  bool Execute(ByteCursor& cursor) {
    const uint8_t instruction = cursor.Byte();
    const uint8_t operand = instruction & static_cast<uint8_t>(~kCfaPrimaryMask);
    switch (instruction & kCfaPrimaryMask) {
      case kCfaAdvanceLoc:
        return Advance(operand);
      case kCfaOffset:
        return SetOffset(operand, Scale(cursor.Uleb(), description_.data_align));
      case kCfaRestore:
        return Restore(operand);
      default:
        return ExecuteExtended(instruction, cursor) && cursor.ok();
    }
  }

  bool ExecuteExtended(uint8_t instruction, ByteCursor& cursor) {
    const int64_t align = description_.data_align;
    switch (instruction) {
      case kCfaNop:
        return true;
      case kCfaSetLoc:
        location_ = cursor.EncodedPointer(description_.pointer_encoding, 0);
        return true;
      case kCfaAdvanceLoc1:
        return Advance(cursor.Fixed<uint8_t>());
      case kCfaAdvanceLoc2:
        return Advance(cursor.Fixed<uint16_t>());
      case kCfaAdvanceLoc4:
        return Advance(cursor.Fixed<uint32_t>());
      case kCfaRememberState:
        if (remembered_count_ == kMaxRemembered) return false;
        remembered_[remembered_count_++] = rules_;
        return true;
      case kCfaRestoreState:
        if (remembered_count_ == 0) return false;
        rules_ = remembered_[--remembered_count_];
        return true;
      case kCfaGnuArgsSize:
        cursor.Uleb();
        return true;
      case kCfaAarch64NegateRaState:
      case kCfaAarch64NegateRaStateWithPc:
        // Signed return addresses are stripped in any state.
        return Arch::kHasLinkRegister;
      case kCfaDefCfa:
      case kCfaDefCfaSf:
      case kCfaDefCfaRegister:
      case kCfaDefCfaOffset:
      case kCfaDefCfaOffsetSf:
      case kCfaDefCfaExpression:
        return DefineCfa(instruction, cursor);
      default:
        break;
    }

    const uint64_t reg = cursor.Uleb();
    switch (instruction) {
      case kCfaOffsetExtended:
        return SetOffset(reg, Scale(cursor.Uleb(), align));
      case kCfaOffsetExtendedSf:
        return SetOffset(reg, Scale(static_cast<uint64_t>(cursor.Sleb()), align));
      case kCfaGnuNegativeOffsetExtended:
        return SetOffset(reg, Scale(0 - cursor.Uleb(), align));
      case kCfaRestoreExtended:
        return Restore(reg);
      case kCfaUndefined:
        return SetKind(reg, RegisterRule::Kind::kUndefined);
      case kCfaSameValue:
        return SetKind(reg, RegisterRule::Kind::kSame);
      case kCfaRegister:
      case kCfaValOffset:
        cursor.Uleb();
        return SetKind(reg, RegisterRule::Kind::kUnsupported);
      case kCfaValOffsetSf:
        cursor.Sleb();
        return SetKind(reg, RegisterRule::Kind::kUnsupported);
      case kCfaExpression:
        if (RegisterRule* rule = RuleOf(reg)) {
          *rule = {RegisterRule::Kind::kExpression, 0, Expression(cursor)};
        } else {
          Expression(cursor);
        }
        return true;
      case kCfaValExpression:
        Expression(cursor);
        return SetKind(reg, RegisterRule::Kind::kUnsupported);
      default:
        return false;
    }
  }

  bool DefineCfa(uint8_t instruction, ByteCursor& cursor) {
    const int64_t align = description_.data_align;
    CfaRule& cfa = rules_.cfa;
    switch (instruction) {
      case kCfaDefCfa:
      case kCfaDefCfaSf: {
        const uint64_t reg = cursor.Uleb();
        const int64_t offset = instruction == kCfaDefCfa
                                   ? static_cast<int64_t>(cursor.Uleb())
                                   : Scale(static_cast<uint64_t>(cursor.Sleb()), align);
        cfa = {.is_expression = false, .reg = reg, .offset = offset, .expression = {}};
        return true;
      }
      case kCfaDefCfaRegister:
        cfa.reg = cursor.Uleb();
        return !cfa.is_expression;
      case kCfaDefCfaOffset:
        cfa.offset = static_cast<int64_t>(cursor.Uleb());
        return !cfa.is_expression;
      case kCfaDefCfaOffsetSf:
        cfa.offset = Scale(static_cast<uint64_t>(cursor.Sleb()), align);
        return !cfa.is_expression;
      default:
        cfa = {.is_expression = true, .reg = 0, .offset = 0, .expression = Expression(cursor)};
        return true;
    }
  }

  static ExpressionBytes Expression(ByteCursor& cursor) {
    const uint64_t size = cursor.Uleb();
    const ExpressionBytes expression{cursor.position(), size};
    cursor.Skip(size);
    return expression;
  }

  bool Advance(uint64_t delta) {
    location_ += delta * description_.code_align;
    return true;
  }

  bool SetOffset(uint64_t reg, int64_t offset) {
    if (RegisterRule* rule = RuleOf(reg)) *rule = {RegisterRule::Kind::kOffset, offset, {}};
    return true;
  }
  bool SetKind(uint64_t reg, RegisterRule::Kind kind) {
    if (RegisterRule* rule = RuleOf(reg)) *rule = {kind, 0, {}};
    return true;
  }
  bool Restore(uint64_t reg) {
    if (!has_initial_) return false;
    if (RegisterRule* rule = RuleOf(reg)) *rule = *RuleOf(reg, initial_);
    return true;
  }

  RegisterRule* RuleOf(uint64_t reg) { return RuleOf(reg, rules_); }
  // Null for registers that nobody follows.
  RegisterRule* RuleOf(uint64_t reg, FrameRules& rules) const {
    if (reg == description_.return_address_register) return &rules.return_address;
    if (reg == Arch::kBp) return &rules.bp;
    if (reg == Arch::kAux) return &rules.aux;
    return nullptr;
  }

  MemoryRef memory_;
  const FrameDescription& description_;
  const uint64_t pc_;
  uint64_t location_;
  uint64_t begin_;  // where the rules as they are now began to hold
  FrameRules& rules_;
  FrameRules initial_;
  bool has_initial_ = false;
  size_t remembered_count_ = 0;
  FrameRules remembered_[kMaxRemembered];
};

}  // namespace

bool RunCfaProgram(MemoryRef memory, const FrameDescription& description, uint64_t pc,
                   FrameRules* rules) {
  *rules = {};
  return Interpreter(memory, description, pc, rules).Run();
}

}  // namespace pyrometer::unwind
