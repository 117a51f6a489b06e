// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pyrometer::base {

// Whether debug information that names this file speaks of Python code, or of
// the related languages that Cython compiles, rather than of the C that was made of it.
constexpr bool IsPythonSource(std::string_view path) {
  for (const std::string_view ending : {".py", ".pyx", ".pxd", ".pxi"})
    if (path.ends_with(ending)) return true;
  return false;
}

}  // namespace pyrometer::base
