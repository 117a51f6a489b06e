// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyrometer::profile {

// A C function that Cython has made of a function in a .pyx file.
struct CythonName {
  // As in the source: "Box.area"; "<module>" for the code outside; empty for a
  // generator, which the symbol only numbers.
  std::string function;
  bool wrapper = false;  // unpacks the arguments and calls the function itself
};

// What `symbol` is called in its source. `stem` is the file's name without its
// ending; `source` its text, which tells a method from a name with an
// underscore, or empty. Nothing for code of Cython's own, to which compilers
// give the lines that follow the last function.
std::optional<CythonName> ParseCythonName(std::string_view symbol, std::string_view stem,
                                          std::string_view source);

// Where `source` defines the function that has `line`: the last definition of
// `function` at or above it, of any function where that is empty. Line 0 where
// there is none.
struct Definition {
  uint32_t line = 0;
  std::string_view name;
};
Definition FindDefinition(std::string_view source, std::string_view function, uint32_t line);

}  // namespace pyrometer::profile
