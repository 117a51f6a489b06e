// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::analyze {

// The functions and lines of one recording, to be found again in another. Texts are somebody
// else's, who keeps them.
struct CodeListing {
  struct File {
    std::string_view path{};               // relative to where the program was started
    std::span<const std::string> lines{};  // empty: no text was recorded
  };
  struct Function {
    uint32_t file = 0;
    std::string_view name{};  // qualified
    uint32_t first_line = 0;  // 0: not known
  };
  struct Line {
    uint32_t function = 0;
    uint32_t line = 0;
  };

  std::vector<File> files{};
  std::vector<Function> functions{};
  std::vector<Line> lines{};
};

}  // namespace pyrometer::analyze
