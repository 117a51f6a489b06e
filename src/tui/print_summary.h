// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>

#include "analyze/report/report.h"
#include "tui/page/listing.h"

namespace pyrometer::tui {

// For how many lines a summary wants callers: see analyze::ReportOptions.
size_t SummaryLines(const Listing& listing);

// Writes the report as short plain text for programs that read text, such as
// language models: always the same sections in the same order, each with its
// unit, without decoration, kSummaryBytes at most unless more lines are asked for.
// What does not fit is left out from the end of a section, which says so. Text
// from the capture is untrusted: each piece of it is cut and stays in its line.
inline constexpr size_t kSummaryBytes = 4096;
void PrintSummary(std::ostream& out, const analyze::Report& report, const Listing& listing);

}  // namespace pyrometer::tui
