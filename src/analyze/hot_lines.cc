// SPDX-License-Identifier: Apache-2.0
#include "analyze/hot_lines.h"

#include <algorithm>

namespace pyrometer::analyze {

uint64_t ScopedValue(Measure measure, const LineStats& line) {
  return ValueOf(measure, line.scoped, line.memory.scoped);
}

std::vector<LineRef> RankLines(const View& view, Measure measure) {
  std::vector<LineRef> lines;
  for (size_t file = 0; file < view.files.size(); ++file)
    for (size_t line = 0; line < view.files[file].lines.size(); ++line)
      if (ScopedValue(measure, view.files[file].lines[line]) != 0) lines.push_back({file, line});
  std::stable_sort(lines.begin(), lines.end(), [&](const LineRef& a, const LineRef& b) {
    return ScopedValue(measure, view.Line(a)) > ScopedValue(measure, view.Line(b));
  });
  return lines;
}

uint64_t WholeOf(Measure measure, const View& view) {
  return ValueOf(measure, view.total, view.memory.total);
}

Measure DefaultMeasure(const View& view) {
  return view.total.empty() && view.memory.recorded ? Measure::kMemory : Measure::kWall;
}

}  // namespace pyrometer::analyze
