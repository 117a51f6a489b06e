// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpython/code_object.h"
#include "sigsafe/local_reader.h"

namespace pyrometer::agent {

// Slot of the code object at `code` in the collector's table, told to the
// collector first if need be; transport::kNoCode when that is not possible now
// or `code` is no code object. Signal-safety: safe.
uint32_t AnnounceCode(const sigsafe::LocalReader& reader, uint64_t code);

// The same for the module that has `pc`; transport::kNoModule when none has.
uint32_t AnnounceModule(const sigsafe::LocalReader& reader, uint64_t pc);

}  // namespace pyrometer::agent
