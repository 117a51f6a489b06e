// SPDX-License-Identifier: Apache-2.0
#include "tui/text/text.h"

#include <algorithm>

namespace pyrometer::tui {
namespace {

using analyze::Glyph;

// The longest prefix of at most `width` columns.
std::string_view Prefix(std::string_view text, size_t width, size_t* used) {
  size_t bytes = 0;
  *used = 0;
  while (bytes < text.size()) {
    const Glyph glyph = analyze::FirstGlyph(text.substr(bytes));
    if (*used + glyph.columns > width) break;
    *used += glyph.columns;
    bytes += glyph.bytes;
  }
  return text.substr(0, bytes);
}

std::string_view Ellipsis(bool unicode) { return unicode ? "…" : "~"; }

}  // namespace

size_t Width(std::string_view printable) {
  size_t used = 0;
  Prefix(printable, printable.size() * 2, &used);
  return used;
}

std::string CutRight(std::string_view printable, size_t width, bool unicode) {
  if (Width(printable) <= width) return std::string(printable);
  if (width == 0) return "";
  size_t used = 0;
  return std::string(Prefix(printable, width - 1, &used)) + std::string(Ellipsis(unicode));
}

std::string CutLeft(std::string_view printable, size_t width, bool unicode) {
  size_t total = Width(printable);
  if (total <= width) return std::string(printable);
  if (width == 0) return "";
  // Combining marks go with the character before them.
  while (!printable.empty()) {
    const Glyph glyph = analyze::FirstGlyph(printable);
    if (total <= width - 1 && glyph.columns > 0) break;
    total -= glyph.columns;
    printable.remove_prefix(glyph.bytes);
  }
  return std::string(Ellipsis(unicode)) + std::string(printable);
}

std::string Fit(std::string_view printable, size_t width, bool unicode) {
  std::string fitted = CutRight(printable, width, unicode);
  // A wide character at the cut can leave one column open.
  fitted.append(width - Width(fitted), ' ');
  return fitted;
}

std::vector<std::string> Wrap(std::string_view printable, size_t width, bool unicode) {
  std::vector<std::string> lines;
  std::string line;
  while (!printable.empty()) {
    const size_t end = std::min(printable.find(' '), printable.size());
    const std::string_view word = printable.substr(0, end);
    printable.remove_prefix(std::min(end + 1, printable.size()));
    if (!line.empty() && Width(line) + 1 + Width(word) > width) {
      lines.push_back(CutRight(line, width, unicode));
      line = "  " + std::string(word);
    } else {
      line += (line.empty() ? "" : " ") + std::string(word);
    }
  }
  if (!line.empty()) lines.push_back(CutRight(line, width, unicode));
  return lines;
}

std::string PadLeft(std::string_view printable, size_t width) {
  const size_t used = Width(printable);
  return std::string(width > used ? width - used : 0, ' ') + std::string(printable);
}

}  // namespace pyrometer::tui
