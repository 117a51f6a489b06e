// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace pyrometer::cli {

// Copies the capture `from`, which may still grow, to `to`. What is there is
// replaced at once when the copy is whole, and only if it is a capture.
base::Status WriteSnapshot(const std::string& from, const std::string& to);

}  // namespace pyrometer::cli
