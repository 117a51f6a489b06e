// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::cli {

// Whether Python source has @profile on a function without importing the name.
// Looks at lines only. A definition in the program's own text needs no looking
// for: it comes before a builtin anyway.
bool UsesBareProfile(std::string_view source);

// The same of what `program` runs: the script, the module as it is found from the
// working directory, or the code. False for anything else.
bool ProgramUsesBareProfile(std::vector<std::string> program);

}  // namespace pyrometer::cli
