// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyze/report/report.h"

namespace pyrometer::tui {

// One row of a file's line table.
struct SourceRow {
  uint32_t number = 0;                        // 0 with stats: a line without number
  const analyze::LineStats* stats = nullptr;  // null: context, or a gap
  const std::string* text = nullptr;          // null: not known
  bool gap = false;                           // lines are left out here
};

// How much a line matters.
enum class LineInterest { kNone, kSome, kHot };

// The rows that explain where a file's time and memory went: the hot lines, each
// with its neighbours and the `def` that it is in; when none is hot, three of
// some interest. `source` may be null; `reduced` leaves the context out. Pointers
// are into `file` and `source`.
std::vector<SourceRow> ChooseRows(
    const analyze::FileStats& file, const analyze::SourceFile* source, bool reduced,
    const std::function<LineInterest(const analyze::LineStats&)>& interest);

}  // namespace pyrometer::tui
