// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "unwind/registers.h"

namespace pyrometer::unwind {

// DWARF numbers of the followed registers, and what the AAPCS64 says of them.
struct Arch {
  static constexpr uint64_t kSp = 31;
  static constexpr uint64_t kBp = 29;
  static constexpr uint64_t kAux = 30;  // lr
  static constexpr uint64_t kIp = 32;
  static constexpr uint64_t kReturnAddress = 30;
  static constexpr bool kHasLinkRegister = true;
  static constexpr uint64_t kRedZoneBytes = 0;
  // Drops a pointer-authentication code: user addresses have at most 48 bits
  // here (52-bit address spaces are opt-in per mapping).
  static constexpr uint64_t StripReturnAddress(uint64_t address) {
    return address & ((uint64_t{1} << 48) - 1);
  }
};

// The registers at the instant a signal interrupted.
// Signal-safety: safe.
inline Registers FromUcontext(const ucontext_t& context) {
  const mcontext_t& machine = context.uc_mcontext;
  return {.ip = machine.pc, .sp = machine.sp, .bp = machine.regs[29], .aux = machine.regs[30]};
}

// Those of the function that calls this, here and now.
// Signal-safety: safe.
__attribute__((always_inline)) inline Registers CurrentRegisters() {
  Registers now;
  asm volatile("adr %0, ." : "=r"(now.ip));
  asm volatile("mov %0, sp" : "=r"(now.sp));
  asm volatile("mov %0, x29" : "=r"(now.bp));
  asm volatile("mov %0, x30" : "=r"(now.aux));
  return now;
}

}  // namespace pyrometer::unwind
