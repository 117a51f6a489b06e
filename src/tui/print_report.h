// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "analyze/report/report.h"
#include "tui/page/listing.h"
#include "tui/text/report_style.h"

namespace pyrometer::tui {

// Writes the console report. Text from the capture (names, paths, source) is
// untrusted and reaches `out` with control characters escaped.
void PrintReport(std::ostream& out, const analyze::Report& report, const ReportStyle& style,
                 const Listing& listing = {});

}  // namespace pyrometer::tui
