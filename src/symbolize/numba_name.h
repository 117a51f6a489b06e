// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pyrometer::symbolize {

// A function that numba has compiled, from the symbol that it gave it.
struct NumbaName {
  std::string module;    // "__main__"
  std::string function;  // "outer.<locals>.par"
  bool wrapper = false;  // converts Python's objects, then calls the function
};

// Numba mangles like C++, with a version and a hash as ABI tags. Nothing for
// symbols of others.
std::optional<NumbaName> ParseNumbaName(std::string_view symbol);

}  // namespace pyrometer::symbolize
