// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/function_text.h"

#include <algorithm>

namespace pyrometer::analyze {
namespace {

size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}
bool IsBlank(std::string_view line) { return IndentOf(line) == line.size(); }

}  // namespace

std::span<const std::string> TextOf(const CodeListing& code,
                                    const CodeListing::Function& function) {
  const std::span<const std::string> lines = code.files[function.file].lines;
  if (function.name == "<module>") return lines;
  if (function.first_line == 0 || function.first_line > lines.size()) return {};
  const size_t begin = function.first_line - 1;
  const size_t indent = IndentOf(lines[begin]);
  size_t end = begin + 1;
  bool decorated = lines[begin].compare(indent, 1, "@") == 0;
  for (; end < lines.size(); ++end) {
    const std::string& line = lines[end];
    if (IsBlank(line) || IndentOf(line) > indent) continue;
    // A head in several lines, or behind decorators.
    const char first = line[IndentOf(line)];
    if (IndentOf(line) < indent || (!decorated && first != ')')) break;
    decorated = first == '@';
  }
  while (end > begin + 1 && IsBlank(lines[end - 1])) --end;
  return lines.subspan(begin, end - begin);
}

std::string_view LastName(std::string_view qualified) {
  return qualified.substr(qualified.rfind('.') + 1);
}

bool Defines(std::span<const std::string> lines, std::string_view name) {
  const std::string head = "def " + std::string(LastName(name)) + "(";
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(head) != line.npos; });
}

}  // namespace pyrometer::analyze
