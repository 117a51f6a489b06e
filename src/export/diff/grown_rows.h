// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/diff/diff.h"

namespace pyrometer::export_ {

// A function or line that has more of a metric than before, by more than chance.
struct GrownRow {
  metric::Info metric;
  bool line = false;
  const analyze::DiffRow* row;
};

// At most `most` of them, by metric, functions before lines, most growth first. What
// is outside the user's code has no place to show, and is left out.
inline std::vector<GrownRow> GrownRows(const analyze::Diff& diff, size_t most) {
  std::vector<GrownRow> grown;
  for (const analyze::MetricDiff& metric : diff.metrics)
    for (const bool line : {false, true})
      for (const analyze::DiffRow& row : line ? metric.lines : metric.functions)
        if (row.change.significant && row.change.difference > 0 && row.code.now &&
            grown.size() < most)
          grown.push_back({metric.info, line, &row});
  return grown;
}

}  // namespace pyrometer::export_
