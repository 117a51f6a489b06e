// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/result.h"

namespace pyrometer::cli {

// The viewer (viewer/) as it was built: one HTML file, part of this program.
std::string_view ViewerPage();

// Where data cannot be put into it: a viewer that does not fit this program.
base::Error NoPlaceInViewer();

}  // namespace pyrometer::cli
