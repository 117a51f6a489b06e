// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pyrometer::cli {

// The command line that runs what the user named: a script, `-m module` or
// `-c code` by a Python, anything else as it is. `python` overrides which
// Python; else the one that called us (kCallerVariable), else python3 or python
// on PATH.
base::Result<std::vector<std::string>> ResolveProgram(const std::vector<std::string>& program,
                                                      const std::string& python);

// Where the search for the program's pyproject.toml starts: the folder of a
// script, links followed, else the working directory.
std::string ConfigurationFolder(const std::vector<std::string>& program);

// The file that a command name means on PATH, or "".
std::string FindOnPath(const std::string& name);

}  // namespace pyrometer::cli
