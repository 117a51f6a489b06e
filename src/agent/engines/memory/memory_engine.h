// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/core/engine.h"

namespace pyrometer::agent {

// Samples requests for memory and copies, in hooks on malloc, mmap, memcpy and CPython's
// allocators. The library for `run --cpu-only` is without it: a hook that only passes on is not
// free (docs/design/0006-memory.md).
extern const Engine kMemoryEngine;

}  // namespace pyrometer::agent
