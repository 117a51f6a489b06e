// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The JSON of trace events that Chrome and Perfetto show: for each thread its calls as
// far as samples tell them, regions and blocks of event loops as asynchronous events,
// and counters of memory. A slice's `wall_us` and `cpu_us` are the exact sums of its
// samples; its length also has the gaps between them.
void WriteChromeTrace(const Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
