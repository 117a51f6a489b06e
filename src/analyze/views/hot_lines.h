// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analyze/report/report.h"
#include "metric/metric.h"

namespace pyrometer::analyze {

// What a row has of a metric: ns, or bytes.
uint64_t ValueOf(metric::Metric metric, const Breakdown& time, const MemoryStats& memory);

// The metric of a line as it is charged to the user's code.
uint64_t ScopedValue(metric::Metric metric, const LineStats& line);

// The lines of all files that have any of `metric`, most first; where they are
// equal, in the report's order.
std::vector<LineRef> RankLines(const View& view, metric::Metric metric);

// The whole that such lines are a part of.
uint64_t WholeOf(metric::Metric metric, const View& view);

// The one to rank by unless told: time where there is any, else memory.
metric::Metric DefaultMetric(const View& view);

}  // namespace pyrometer::analyze
