// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/stream/utf8.h"

namespace pyrometer::export_ {

// Valid UTF-8 without control characters, for formats that end a text with its line:
// each becomes `_`.
inline std::string SingleLine(std::string_view text) {
  std::string line = ValidUtf8(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  return line;
}

}  // namespace pyrometer::export_
