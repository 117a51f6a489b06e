// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/layout.h"

namespace pyrometer::cpython {

// Whether the raw instruction byte `opcode`, as found in memory (specialized
// and instrumented forms included), calls an object with arguments.
// Signal-safety: async-signal-safe.
bool IsCallOpcode(const Layout& layout, uint8_t opcode);

}  // namespace pyrometer::cpython
