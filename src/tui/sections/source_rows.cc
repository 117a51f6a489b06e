// SPDX-License-Identifier: Apache-2.0
#include "tui/sections/source_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace pyrometer::tui {
namespace {

using analyze::FileStats;
using analyze::FunctionStats;
using analyze::LineStats;
using analyze::SourceFile;

constexpr size_t kFallbackLines = 3;
constexpr uint32_t kMaxDecoratorLines = 10;

std::string_view Stripped(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : std::string_view(line).substr(begin);
}

using Interest = std::function<LineInterest(const LineStats&)>;

std::vector<const LineStats*> HotLines(const FileStats& file, const Interest& interest) {
  std::vector<const LineStats*> hot, rest;
  for (const LineStats& line : file.lines) {
    if (line.scoped.empty() && line.memory.scoped().empty()) continue;
    const LineInterest of_line = interest(line);
    if (of_line == LineInterest::kNone) continue;
    (of_line == LineInterest::kHot ? hot : rest).push_back(&line);
  }
  if (!hot.empty()) return hot;
  std::sort(rest.begin(), rest.end(), [](const LineStats* a, const LineStats* b) {
    const auto key = [](const LineStats* line) {
      return std::tuple(~line->scoped.time_ns(), ~line->memory.scoped().own_peak_bytes, line->line);
    };
    return key(a) < key(b);
  });
  rest.resize(std::min(rest.size(), kFallbackLines));
  return rest;
}

// The line of the `def` that `line` is in, or 0. A code object starts at its
// first decorator.
uint32_t DefinitionLine(const FileStats& file, const SourceFile& source, const LineStats& line) {
  uint32_t first = 0;
  for (const FunctionStats& function : file.functions) {
    if (function.name == line.function && function.first_line <= line.line) {
      first = std::max(first, function.first_line);
    }
  }
  if (first == 0 || line.function == "<module>") return 0;
  for (uint32_t number = first; number < first + kMaxDecoratorLines; ++number) {
    const std::string* text = source.Line(number);
    if (text == nullptr) return 0;
    const std::string_view code = Stripped(*text);
    if (code.starts_with("def ") || code.starts_with("async def ") || code.starts_with("class ")) {
      return number;
    }
  }
  return first;
}

bool IsBlank(const SourceFile& source, uint32_t number) {
  const std::string* text = source.Line(number);
  return text == nullptr || Stripped(*text).empty();
}

}  // namespace

std::vector<SourceRow> ChooseRows(const FileStats& file, const SourceFile* source, bool reduced,
                                  const Interest& interest) {
  std::map<uint32_t, const LineStats*> stats;
  for (const LineStats& line : file.lines) stats[line.line] = &line;
  std::set<uint32_t> numbers;
  for (const LineStats* line : HotLines(file, interest)) {
    numbers.insert(line->line);
    if (reduced || source == nullptr || line->line == 0) continue;
    if (const uint32_t definition = DefinitionLine(file, *source, *line)) {
      numbers.insert(definition);
    }
    // Blank neighbours explain nothing.
    if (!IsBlank(*source, line->line - 1)) numbers.insert(line->line - 1);
    if (!IsBlank(*source, line->line + 1)) numbers.insert(line->line + 1);
  }
  std::vector<SourceRow> rows;
  uint32_t previous = 0;
  for (const uint32_t number : numbers) {
    const bool one_blank = previous + 2 == number && source && IsBlank(*source, previous + 1);
    if (previous != 0 && number > previous + 1) {
      SourceRow skipped;
      skipped.gap = !one_blank;
      if (!reduced && source != nullptr) rows.push_back(skipped);
    }
    SourceRow row;
    row.number = number;
    if (const auto it = stats.find(number); it != stats.end()) row.stats = it->second;
    if (source != nullptr) row.text = source->Line(number);
    rows.push_back(row);
    previous = number;
  }
  return rows;
}

}  // namespace pyrometer::tui
