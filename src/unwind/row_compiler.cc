// SPDX-License-Identifier: Apache-2.0
#include "unwind/row_compiler.h"

#include <limits>

#include "unwind/cfa_expression.h"
#include "unwind/cfa_program.h"
#include "unwind/frame_description.h"
#include "unwind/registers.h"

namespace pyrometer::unwind {
namespace {

using Kind = UnwindRow::Kind;
using Where = UnwindRow::Where;

template <class T>
bool Narrow(int64_t wide, T* narrow) {
  *narrow = static_cast<T>(wide);
  return wide >= std::numeric_limits<T>::min() && wide <= std::numeric_limits<T>::max();
}

bool BaseOfRegister(uint64_t reg, UnwindRow::Base* base) {
  if (reg == Arch::kSp) {
    *base = UnwindRow::Base::kSp;
  } else if (reg == Arch::kBp) {
    *base = UnwindRow::Base::kBp;
  } else if (reg == Arch::kAux) {
    *base = UnwindRow::Base::kAux;
  } else {
    return false;
  }
  return true;
}

bool BaseOfValue(SymbolicValue::Base value, UnwindRow::Base* base) {
  switch (value) {
    case SymbolicValue::Base::kSp:
      *base = UnwindRow::Base::kSp;
      return true;
    case SymbolicValue::Base::kBp:
      *base = UnwindRow::Base::kBp;
      return true;
    case SymbolicValue::Base::kAux:
      *base = UnwindRow::Base::kAux;
      return true;
    case SymbolicValue::Base::kCfa:
      return false;
  }
  return false;
}

struct Place {
  Where where = Where::kUnknown;
  int16_t offset = 0;
};

// Turns the rules at one pc into a row.
class RowBuilder {
 public:
  RowBuilder(MemoryRef memory, uint64_t pc) : memory_(memory), pc_(pc) {}

  bool SetCfa(const CfaRule& rule, UnwindRow* row) const {
    UnwindRow::Base base;
    row->kind = Kind::kPlain;
    row->cfa_addend = 0;
    if (!rule.is_expression) {
      if (!BaseOfRegister(rule.reg, &base) || !Narrow(rule.offset, &row->cfa_offset)) return false;
      row->base = base;
      return true;
    }
    SymbolicValue value;
    if (!EvaluateExpression(memory_, rule.expression, pc_, false, &value) ||
        value.kind == SymbolicValue::Kind::kConstant || !BaseOfValue(value.base, &base) ||
        !Narrow(value.offset, &row->cfa_offset) || !Narrow(value.addend, &row->cfa_addend)) {
      return false;
    }
    row->base = base;
    if (value.kind == SymbolicValue::Kind::kLoaded) row->kind = Kind::kDeref;
    return true;
  }

  Place PlaceOf(const RegisterRule& rule) const {
    Place place;
    switch (rule.kind) {
      case RegisterRule::Kind::kSame:
        place.where = Where::kSame;
        break;
      case RegisterRule::Kind::kOffset:
        if (Narrow(rule.offset, &place.offset)) place.where = Where::kAtCfa;
        break;
      case RegisterRule::Kind::kExpression:
        place = PlaceOfExpression(rule.expression);
        break;
      case RegisterRule::Kind::kUndefined:
      case RegisterRule::Kind::kUnsupported:
        break;
    }
    return place;
  }

 private:
  Place PlaceOfExpression(const ExpressionBytes& expression) const {
    SymbolicValue value;
    Place place;
    if (!EvaluateExpression(memory_, expression, pc_, true, &value) ||
        value.kind != SymbolicValue::Kind::kBased || !Narrow(value.offset, &place.offset)) {
      return place;
    }
    switch (value.base) {
      case SymbolicValue::Base::kCfa:
        place.where = Where::kAtCfa;
        break;
      case SymbolicValue::Base::kSp:
        place.where = Where::kAtSp;
        break;
      case SymbolicValue::Base::kBp:
        place.where = Where::kAtBp;
        break;
      case SymbolicValue::Base::kAux:
        break;
    }
    return place;
  }

  MemoryRef memory_;
  uint64_t pc_;
};

}  // namespace

RangedRow CompileRow(MemoryRef memory, const Module& module, uint64_t pc) {
  const RangedRow no_row{UnwindRow{}, pc, pc + 1};
  FrameDescription description;
  FrameRules rules;
  if (!FindFrameDescription(memory, module, pc, &description) ||
      description.return_address_register != Arch::kReturnAddress ||
      !RunCfaProgram(memory, description, pc, &rules)) {
    return no_row;
  }
  RangedRow result{UnwindRow{}, rules.begin, rules.end};
  UnwindRow& row = result.row;
  row.is_signal_frame = description.is_signal_frame;
  if (rules.return_address.kind == RegisterRule::Kind::kUndefined) {
    row.kind = Kind::kRoot;
    return result;
  }

  const RowBuilder builder(memory, pc);
  const Place ra = builder.PlaceOf(rules.return_address);
  const Place bp = builder.PlaceOf(rules.bp);
  const Place aux = Arch::kHasLinkRegister ? ra : builder.PlaceOf(rules.aux);
  if (!builder.SetCfa(rules.cfa, &row) || ra.where == Where::kUnknown ||
      (ra.where == Where::kSame && !Arch::kHasLinkRegister)) {
    return no_row;
  }
  row.ra_where = ra.where;
  row.ra_offset = ra.offset;
  row.bp_where = bp.where;
  row.bp_offset = bp.offset;
  row.aux_where = aux.where;
  row.aux_offset = aux.offset;
  // An expression may have used the pc itself, as that of a PLT does.
  if (rules.HasExpression()) return {row, pc, pc + 1};
  return result;
}

}  // namespace pyrometer::unwind
