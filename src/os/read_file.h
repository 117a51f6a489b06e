// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// The whole content of a file; empty when it cannot be read to its end (files
// of /proc vanish with their process) or is larger than `limit`.
std::optional<std::string> ReadFile(const std::string& path, size_t limit);

// The beginning of a small file that stays open, as it is now, with a final NUL. False: there
// is nothing, as of a process that is gone.
bool ReadAgain(const base::ScopedFd& file, std::span<char> out);

}  // namespace pyrometer::os
