// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/hot_lines.h"

#include <algorithm>

namespace pyrometer::analyze {

using metric::Metric;

uint64_t ValueOf(Metric metric, const Breakdown& time, const MemoryStats& memory) {
  switch (metric) {
    case Metric::kAllocated:
      return memory.allocated.bytes();
    case Metric::kLiveAtPeak:
      return memory.at_peak.bytes();
    case Metric::kLiveAtExit:
      return memory.at_end.bytes();
    case Metric::kCopied:
      return memory.copied.bytes;
    default:
      return time[metric].ns;
  }
}

uint64_t ScopedValue(Metric metric, const LineStats& line) {
  return ValueOf(metric, line.scoped, line.memory.scoped());
}

std::vector<LineRef> RankLines(const View& view, Metric metric) {
  std::vector<LineRef> lines;
  for (size_t file = 0; file < view.files.size(); ++file)
    for (size_t line = 0; line < view.files[file].lines.size(); ++line)
      if (ScopedValue(metric, view.files[file].lines[line]) != 0) lines.push_back({file, line});
  std::stable_sort(lines.begin(), lines.end(), [&](const LineRef& a, const LineRef& b) {
    return ScopedValue(metric, view.Line(a)) > ScopedValue(metric, view.Line(b));
  });
  return lines;
}

uint64_t WholeOf(Metric metric, const View& view) {
  return ValueOf(metric, view.total, view.memory.total);
}

Metric DefaultMetric(const View& view) {
  if (view.total.has_time()) return Metric::kTime;
  if (view.memory.recorded) return Metric::kLiveAtPeak;
  // The first that the recording declares, if it has nothing else.
  constexpr auto kFirst = Metric(metric::kCount);
  return view.total[kFirst].ns != 0 ? kFirst : Metric::kTime;
}

}  // namespace pyrometer::analyze
