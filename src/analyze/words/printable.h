// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyrometer::analyze {

// Printable text with the same reading: tabs are expanded to multiples of
// four columns; control characters, direction overrides and bytes that are not
// UTF-8 become escapes such as \x1b. Without `unicode`, every other character
// outside ASCII becomes a question mark.
std::string Printable(std::string_view text, bool unicode);

// The character at the front of a text that is not empty. Columns: 2 for East Asian wide
// characters and emoji, 0 for combining ones.
struct Glyph {
  size_t bytes = 0;
  size_t columns = 0;
};
Glyph FirstGlyph(std::string_view printable);

}  // namespace pyrometer::analyze
