// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::unwind {

// The registers that a walk follows. A register that is not known is 0: the
// walk then ends where it would be needed, instead of guessing.
struct Registers {
  uint64_t ip = 0;
  uint64_t sp = 0;
  uint64_t bp = 0;  // frame pointer: rbp, x29
  uint64_t aux =
      0;  // rbx, on which the dynamic linker's stubs base their frame; x30 (lr) on aarch64
};

}  // namespace pyrometer::unwind

#if defined(__x86_64__)
#include "unwind/registers_x86_64.h"  // IWYU pragma: export
#elif defined(__aarch64__)
#include "unwind/registers_aarch64.h"  // IWYU pragma: export
#else
#error "pyrometer: no register description for this architecture"
#endif
