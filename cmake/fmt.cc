// SPDX-License-Identifier: Apache-2.0
// The compiled part of fmt, of which Debian has no static library (PyroLibraries.cmake): its inline
// functions, which the compiler is told to keep, and by their use the templates that they need.
#include <fmt/format.h>

#include <string>

std::string PyroUseFmt(float a, double b, long double c, int d) {
  return fmt::format("{} {} {} {} {:.3f} {:.2e} {:x}", a, b, c, d, b, b, d);
}
