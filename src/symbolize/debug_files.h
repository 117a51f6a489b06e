// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/scoped_fd.h"

namespace pyrometer::symbolize {

// Where a distribution puts the debug information of the file with this id.
std::string DebugPathOf(std::string_view build_id);

// Opens the separate debug file of the ELF file `path`: by its build id, else
// by `link` (.gnu_debuglink) beside it and under /usr/lib/debug. A file found
// by name must have the same build id, or `crc` when there are no ids. Sets
// `*found` to its path; an invalid fd when there is none. Looks on this
// machine only.
base::ScopedFd OpenDebugFile(const std::string& path, std::string_view build_id, const char* link,
                             uint32_t crc, std::string* found);

}  // namespace pyrometer::symbolize
