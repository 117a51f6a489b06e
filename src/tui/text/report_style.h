// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pyrometer::tui {

// How a report is painted. Who makes one decides; painting itself looks at no
// environment, so the same report and style give the same bytes.
struct ReportStyle {
  size_t width = 100;    // columns; clamped to 60..200
  bool color = false;    // ANSI colours
  bool unicode = false;  // block glyphs, else ASCII letters
  size_t max_functions = 20;
};

// The style for a stream, from NO_COLOR, TERM, COLUMNS, the locale variables
// and, when `fd` is a terminal, its size.
ReportStyle StyleFor(int fd);

}  // namespace pyrometer::tui
