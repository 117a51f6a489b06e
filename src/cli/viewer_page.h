// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pyrometer::cli {

// The viewer (viewer/) as it was built: one HTML file, part of this program.
std::string_view ViewerPage();

}  // namespace pyrometer::cli
