// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tui/text/report_style.h"

namespace pyrometer::tui {

// What a piece of text is; decides its colour.
enum class Tone { kPlain, kPython, kNative, kKernel, kWait, kHot, kStrong, kFaint, kWarning };

// Colours and line-drawing glyphs of one style.
// Thread-safety: immutable.
class Ink {
 public:
  explicit Ink(const ReportStyle& style) : color_(style.color), unicode_(style.unicode) {}

  bool unicode() const { return unicode_; }
  // `text` in the colour of `tone`; unchanged without colour.
  std::string operator()(Tone tone, std::string_view text) const;
  // The one that the terminal can show.
  std::string_view Glyph(std::string_view unicode, std::string_view ascii) const {
    return unicode_ ? unicode : ascii;
  }
  // The cell of a bar for one of the four kinds of time.
  std::string_view Cell(Tone tone) const;

 private:
  bool color_;
  bool unicode_;
};

}  // namespace pyrometer::tui
