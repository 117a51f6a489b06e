// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/words/printable.h"

// Text of unknown origin made fit for a terminal. All widths are in columns.
namespace pyrometer::tui {

using analyze::Printable;

// Columns that printable UTF-8 text takes: 2 for East Asian wide characters
// and emoji, 0 for combining ones.
size_t Width(std::string_view printable);

// Exactly `width` columns: cut with an ellipsis, or filled with spaces.
std::string Fit(std::string_view printable, size_t width, bool unicode);
// At most `width` columns.
std::string CutRight(std::string_view printable, size_t width, bool unicode);
// At most `width` columns, keeping the end: for paths.
std::string CutLeft(std::string_view printable, size_t width, bool unicode);
// Lines of at most `width` columns, broken at blanks, indented by two from the
// second on; a word that is too long for a line is cut.
std::vector<std::string> Wrap(std::string_view printable, size_t width, bool unicode);
// At least `width` columns, with spaces in front.
std::string PadLeft(std::string_view printable, size_t width);

}  // namespace pyrometer::tui
