// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace pyrometer::os {

// The whole content of a file; empty when it cannot be read to its end (files
// of /proc vanish with their process) or is larger than `limit`.
std::optional<std::string> ReadFile(const std::string& path, size_t limit);

}  // namespace pyrometer::os
