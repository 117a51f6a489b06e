// SPDX-License-Identifier: Apache-2.0
#include "tui/text/ink.h"

namespace pyrometer::tui {
namespace {

// Only the sixteen basic colours: they follow the user's own palette.
std::string_view Code(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kPython:
      return "32";
    case Tone::kNative:
      return "33";
    case Tone::kKernel:
      return "35";
    case Tone::kWait:
      return "36";
    case Tone::kHot:
      return "1;31";
    case Tone::kStrong:
      return "1";
    case Tone::kFaint:
      return "2";
    case Tone::kWarning:
      return "33";
  }
  return "";
}

}  // namespace

std::string Ink::operator()(Tone tone, std::string_view text) const {
  const std::string_view code = Code(tone);
  if (!color_ || code.empty() || text.empty()) return std::string(text);
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

std::string_view Ink::Cell(Tone tone) const {
  switch (tone) {
    case Tone::kPython:
      return Glyph("█", "P");
    case Tone::kNative:
      return Glyph("▓", "N");
    case Tone::kKernel:
      return Glyph("▒", "K");
    default:
      return Glyph("░", "w");
  }
}

}  // namespace pyrometer::tui
