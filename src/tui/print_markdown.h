// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "analyze/report/report.h"
#include "tui/page/listing.h"

namespace pyrometer::tui {

// Writes the report as Markdown for issues and reviews: the verdict, totals and
// the hottest lines, the rest in blocks that open on demand. Text from the
// capture is untrusted and shows as text, whatever is in it.
void PrintMarkdown(std::ostream& out, const analyze::Report& report, const Listing& listing);

}  // namespace pyrometer::tui
