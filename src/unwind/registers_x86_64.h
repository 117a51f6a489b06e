// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "unwind/registers.h"

namespace pyrometer::unwind {

// DWARF numbers of the followed registers, and what the psABI says of them.
struct Arch {
  static constexpr uint64_t kSp = 7;
  static constexpr uint64_t kBp = 6;
  static constexpr uint64_t kAux = 3;  // rbx
  static constexpr uint64_t kIp = 16;
  static constexpr uint64_t kReturnAddress = 16;
  // The callee finds its return address on the stack, never in a register.
  static constexpr bool kHasLinkRegister = false;
  // Below sp, and still not overwritten by a signal.
  static constexpr uint64_t kRedZoneBytes = 128;
  static constexpr uint64_t StripReturnAddress(uint64_t address) { return address; }
};

// The registers at the instant a signal interrupted.
// Signal-safety: safe.
inline Registers FromUcontext(const ucontext_t& context) {
  const auto reg = [&](int index) {
    return static_cast<uint64_t>(context.uc_mcontext.gregs[index]);
  };
  return {.ip = reg(REG_RIP), .sp = reg(REG_RSP), .bp = reg(REG_RBP), .aux = reg(REG_RBX)};
}

// Those of the function that calls this, here and now.
// Signal-safety: safe.
__attribute__((always_inline)) inline Registers CurrentRegisters() {
  Registers now;
  asm volatile("lea 0(%%rip), %0" : "=r"(now.ip));
  asm volatile("mov %%rsp, %0" : "=r"(now.sp));
  asm volatile("mov %%rbp, %0" : "=r"(now.bp));
  asm volatile("mov %%rbx, %0" : "=r"(now.aux));
  return now;
}

}  // namespace pyrometer::unwind
