// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tui/text/ink.h"

namespace pyrometer::tui {

// Values over time in `cells` columns, each as high as the largest value of its
// part; the highest glyph is `full`. More than nothing is never a blank.
std::string Sparkline(std::span<const uint64_t> values, uint64_t full, size_t cells,
                      const Ink& ink);

}  // namespace pyrometer::tui
