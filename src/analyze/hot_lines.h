// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/measure.h"
#include "analyze/report.h"

namespace pyrometer::analyze {

// The measure of a line as it is charged to the user's code.
uint64_t ScopedValue(Measure measure, const LineStats& line);

// The lines of all files that have any of `measure`, most first; where they are
// equal, in the report's order.
std::vector<LineRef> RankLines(const View& view, Measure measure);

// The whole that such lines are a part of.
uint64_t WholeOf(Measure measure, const View& view);

// The one to rank by unless told: time where there is any, else memory.
Measure DefaultMeasure(const View& view);

}  // namespace pyrometer::analyze
