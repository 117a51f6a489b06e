// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/diff.h"

namespace pyrometer::export_ {

// A function or line that has more of a measure than before, by more than chance.
struct GrownRow {
  analyze::Measure measure;
  bool line = false;
  const analyze::DiffRow* row;
};

// At most `most` of them, by measure, functions before lines, most growth first. What
// is outside the user's code has no place to show, and is left out.
inline std::vector<GrownRow> GrownRows(const analyze::Diff& diff, size_t most) {
  std::vector<GrownRow> grown;
  for (const analyze::MeasureDiff& measure : diff.measures)
    for (const bool line : {false, true})
      for (const analyze::DiffRow& row : line ? measure.lines : measure.functions)
        if (row.change.significant && row.change.difference > 0 && row.code.now &&
            grown.size() < most)
          grown.push_back({measure.measure, line, &row});
  return grown;
}

}  // namespace pyrometer::export_
