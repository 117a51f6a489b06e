// SPDX-License-Identifier: Apache-2.0
#include "tui/text/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pyrometer::tui {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordly(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Whether the character at `at` means itself wherever it is. Dots are those of
// numbers only: others can make a link of a name.
bool IsPlain(std::string_view text, size_t at) {
  const char c = text[at];
  if (IsWordly(c) || std::string_view(" ,%()'/=").find(c) != std::string_view::npos) return true;
  if (at == 0 || at + 1 == text.size()) return false;
  const char before = text[at - 1], after = text[at + 1];
  return (c == '.' && IsDigit(before) && IsDigit(after)) ||
         (c == '-' && IsWordly(before) && IsWordly(after));
}

size_t LongestRun(std::string_view text, char wanted) {
  size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == wanted ? run + 1 : 0);
  return longest;
}

}  // namespace

std::string MarkdownText(std::string_view printable) {
  std::string text;
  for (size_t i = 0; i < printable.size(); ++i)
    text += IsPlain(printable, i) ? std::string(1, printable[i])
                                  : fmt::format("&#{};", static_cast<unsigned char>(printable[i]));
  return text;
}

std::string MarkdownCode(std::string_view printable) {
  const size_t begin = printable.find_first_not_of(' ');
  if (begin == printable.npos) return "";
  printable = printable.substr(begin, printable.find_last_not_of(' ') + 1 - begin);
  // In a cell a pipe ends it even in backticks, unless after a backslash, which may
  // itself be after one.
  if (printable.find_first_of("`|") == printable.npos) return fmt::format("`{}`", printable);
  return "<code>" + MarkdownText(printable) + "</code>";
}

std::string MarkdownBlock(std::string_view lines) {
  const std::string fence(std::max<size_t>(3, LongestRun(lines, '`') + 1), '`');
  return fmt::format("{}text\n{}{}{}\n", fence, lines, lines.ends_with('\n') ? "" : "\n", fence);
}

}  // namespace pyrometer::tui
