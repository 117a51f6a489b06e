// SPDX-License-Identifier: Apache-2.0
#include "tui/text/report_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace pyrometer::tui {
namespace {

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

size_t Number(std::string_view text) {
  size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The variable that decides about characters, as the C library ranks them.
bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(Variable(name));
    if (value.empty()) continue;
    for (char& c : value) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return value.find("utf-8") != value.npos || value.find("utf8") != value.npos;
  }
  return false;
}

size_t TerminalWidth(int fd) {
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

ReportStyle StyleFor(int fd) {
  ReportStyle style;
  const bool terminal = isatty(fd) != 0;
  const bool dumb = Variable("TERM") == "dumb";
  // no-color.org: any value that is not empty.
  style.color =
      Variable("NO_COLOR").empty() && ((terminal && !dumb) || !Variable("FORCE_COLOR").empty());
  style.unicode = LocaleIsUtf8() && !(terminal && dumb);
  if (const size_t columns = Number(Variable("COLUMNS")); columns > 0) {
    style.width = columns;
  } else if (const size_t columns_of_terminal = terminal ? TerminalWidth(fd) : 0;
             columns_of_terminal > 0) {
    style.width = columns_of_terminal;
  }
  return style;
}

}  // namespace pyrometer::tui
