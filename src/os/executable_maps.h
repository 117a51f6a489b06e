// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::os {

// Memory of a process that holds code, [start, end).
struct ExecutableMap {
  uint64_t start = 0;
  uint64_t end = 0;
  // Where the file's first byte is mapped, were all of it; 0 if there is none.
  uint64_t base = 0;
  std::string path;        // empty for generated code
  bool generated = false;  // of no file that a program is loaded from
};

// By address; empty when the process is gone. The kernel's own code is left out.
std::vector<ExecutableMap> ReadExecutableMaps(pid_t pid);
// The same from the text of /proc/PID/maps.
std::vector<ExecutableMap> ParseExecutableMaps(std::string_view text);

}  // namespace pyrometer::os
