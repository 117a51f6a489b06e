// SPDX-License-Identifier: Apache-2.0
#include "tui/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pyrometer::tui {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
         static_cast<unsigned char>(c) >= 0x80;
}

size_t LongestRun(std::string_view text, char wanted) {
  size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == wanted ? run + 1 : 0);
  return longest;
}

}  // namespace

std::string MarkdownText(std::string_view printable) {
  std::string text;
  for (const char c : printable)
    text += IsPlain(c) ? std::string(1, c) : fmt::format("&#{};", static_cast<unsigned char>(c));
  return text;
}

std::string MarkdownCode(std::string_view printable) {
  const size_t begin = printable.find_first_not_of(' ');
  if (begin == printable.npos) return "";
  printable = printable.substr(begin, printable.find_last_not_of(' ') + 1 - begin);
  // In a cell a pipe ends it even in backticks, unless after a backslash, which may
  // itself be after one.
  if (printable.find_first_of("`|\\") == printable.npos) return fmt::format("`{}`", printable);
  return "<code>" + MarkdownText(printable) + "</code>";
}

std::string MarkdownBlock(std::string_view lines) {
  const std::string fence(std::max<size_t>(3, LongestRun(lines, '`') + 1), '`');
  return fmt::format("{}text\n{}{}{}\n", fence, lines, lines.ends_with('\n') ? "" : "\n", fence);
}

}  // namespace pyrometer::tui
