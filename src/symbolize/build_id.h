// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer::symbolize {

// The raw bytes of the GNU build id of an ELF file; empty when it has none.
// An Error when the file cannot be opened or is not ELF.
base::Result<std::string> ReadBuildId(const std::string& path);

// "3f0a…", as the id is written in file names and messages.
std::string BuildIdToHex(std::string_view build_id);

}  // namespace pyrometer::symbolize
