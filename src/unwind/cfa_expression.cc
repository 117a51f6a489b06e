// SPDX-License-Identifier: Apache-2.0
#include "unwind/cfa_expression.h"

#include <cstddef>

#include "unwind/byte_cursor.h"
#include "unwind/dwarf_constants.h"
#include "unwind/registers.h"

namespace pyrometer::unwind {
namespace {

using Kind = SymbolicValue::Kind;
using Base = SymbolicValue::Base;

int64_t WrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t WrapNegate(int64_t a) { return static_cast<int64_t>(0 - static_cast<uint64_t>(a)); }

// The stack machine. Every operation answers whether it could be done.
class Evaluator {
 public:
  explicit Evaluator(uint64_t pc) : pc_(pc) {}

  bool Push(const SymbolicValue& value) {
    if (depth_ == kMaxDepth) return false;
    stack_[depth_++] = value;
    return true;
  }
  bool Pop(SymbolicValue* value) {
    if (depth_ == 0) return false;
    *value = stack_[--depth_];
    return true;
  }
  bool PushConstant(uint64_t value) {
    return Push({Kind::kConstant, Base::kSp, static_cast<int64_t>(value), 0});
  }
  bool PushRegister(uint64_t reg, int64_t offset) {
    if (reg == Arch::kIp) return PushConstant(pc_ + static_cast<uint64_t>(offset));
    if (reg == Arch::kSp) return Push({Kind::kBased, Base::kSp, offset, 0});
    if (reg == Arch::kBp) return Push({Kind::kBased, Base::kBp, offset, 0});
    if (reg == Arch::kAux) return Push({Kind::kBased, Base::kAux, offset, 0});
    return false;
  }
  bool Deref() {
    SymbolicValue value;
    if (!Pop(&value) || value.kind != Kind::kBased) return false;
    value.kind = Kind::kLoaded;
    return Push(value);
  }
  bool AddConstant(int64_t constant) {
    SymbolicValue value;
    if (!Pop(&value)) return false;
    int64_t& sum = value.kind == Kind::kLoaded ? value.addend : value.offset;
    sum = WrapAdd(sum, constant);
    return Push(value);
  }

  bool Binary(uint8_t operation) {
    SymbolicValue right;
    SymbolicValue left;
    if (!Pop(&right) || !Pop(&left)) return false;
    if (operation == kOpPlus && left.kind == Kind::kConstant) {
      return Push(right) && AddConstant(left.offset);
    }
    if (right.kind != Kind::kConstant) return false;
    if (operation == kOpPlus) return Push(left) && AddConstant(right.offset);
    if (operation == kOpMinus) return Push(left) && AddConstant(WrapNegate(right.offset));
    return left.kind == Kind::kConstant && BinaryConstant(operation, left.offset, right.offset);
  }

 private:
  bool BinaryConstant(uint8_t operation, int64_t left, int64_t right) {
    const auto a = static_cast<uint64_t>(left);
    const auto b = static_cast<uint64_t>(right);
    switch (operation) {
      case kOpAnd:
        return PushConstant(a & b);
      case kOpOr:
        return PushConstant(a | b);
      case kOpMul:
        return PushConstant(a * b);
      case kOpShl:
        return PushConstant(b < 64 ? a << b : 0);
      case kOpShr:
        return PushConstant(b < 64 ? a >> b : 0);
      case kOpEq:
        return PushConstant(left == right);
      case kOpNe:
        return PushConstant(left != right);
      case kOpGe:
        return PushConstant(left >= right);
      case kOpGt:
        return PushConstant(left > right);
      case kOpLe:
        return PushConstant(left <= right);
      case kOpLt:
        return PushConstant(left < right);
      default:
        return false;
    }
  }

  static constexpr size_t kMaxDepth = 8;

  const uint64_t pc_;
  size_t depth_ = 0;
  SymbolicValue stack_[kMaxDepth];
};

bool Execute(ByteCursor& cursor, Evaluator& machine) {
  const uint8_t operation = cursor.Byte();
  if (operation >= kOpLit0 && operation <= kOpLit31) {
    return machine.PushConstant(operation - kOpLit0);
  }
  if (operation >= kOpBreg0 && operation <= kOpBreg31) {
    return machine.PushRegister(operation - kOpBreg0, cursor.Sleb());
  }
  switch (operation) {
    case kOpBregx: {
      const uint64_t reg = cursor.Uleb();
      return machine.PushRegister(reg, cursor.Sleb());
    }
    case kOpConst1u:
      return machine.PushConstant(cursor.Fixed<uint8_t>());
    case kOpConst1s:
      return machine.PushConstant(static_cast<uint64_t>(int64_t{cursor.Fixed<int8_t>()}));
    case kOpConst2u:
      return machine.PushConstant(cursor.Fixed<uint16_t>());
    case kOpConst2s:
      return machine.PushConstant(static_cast<uint64_t>(int64_t{cursor.Fixed<int16_t>()}));
    case kOpConst4u:
      return machine.PushConstant(cursor.Fixed<uint32_t>());
    case kOpConst4s:
      return machine.PushConstant(static_cast<uint64_t>(int64_t{cursor.Fixed<int32_t>()}));
    case kOpConst8u:
    case kOpConst8s:
      return machine.PushConstant(cursor.Fixed<uint64_t>());
    case kOpConstu:
      return machine.PushConstant(cursor.Uleb());
    case kOpConsts:
      return machine.PushConstant(static_cast<uint64_t>(cursor.Sleb()));
    case kOpPlusUconst:
      return machine.AddConstant(static_cast<int64_t>(cursor.Uleb()));
    case kOpDeref:
      return machine.Deref();
    case kOpNop:
      return true;
    default:
      return machine.Binary(operation);
  }
}

}  // namespace

bool EvaluateExpression(MemoryRef memory, const ExpressionBytes& expression, uint64_t pc,
                        bool cfa_on_stack, SymbolicValue* value) {
  Evaluator machine(pc);
  if (cfa_on_stack && !machine.Push({Kind::kBased, Base::kCfa, 0, 0})) return false;
  ByteCursor cursor(memory, expression.begin, expression.begin + expression.size);
  while (cursor.More()) {
    if (!Execute(cursor, machine)) return false;
  }
  return cursor.ok() && machine.Pop(value);
}

}  // namespace pyrometer::unwind
