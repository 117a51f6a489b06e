// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pyrometer::analyze {

// Packages that count as the user's own code, because that alone would show next to nothing:
// what runs is a tool that somebody else has written, such as pip or black.
struct OpenedPackages {
  std::vector<std::string> packages = {};  // none: nothing was opened
  // Time outside the user's code, or below the entry-point script of a tool; of all.
  uint64_t hidden_ns = 0;
  uint64_t of_ns = 0;
  std::string entry_point = {};  // path; empty: most of it was outside the user's code
};

}  // namespace pyrometer::analyze
