// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pyrometer::symbolize {

// A symbol name as its source has it: C++ and, when built with libiberty, Rust
// (both manglings) and D. Any other name comes back as it is.
std::string Demangle(const char* symbol);

}  // namespace pyrometer::symbolize
