// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <span>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"
#include "tui/text/report_style.h"

namespace pyrometer::tui {

// Prints a comparison for a console. `rows` is how many rows a table has at most.
// Pure: the same comparison and style give the same bytes.
void PrintDiff(std::ostream& out, const analyze::Diff& diff,
               std::span<const analyze::LimitResult> limits, const ReportStyle& style, size_t rows);

// The same as Markdown.
void PrintDiffMarkdown(std::ostream& out, const analyze::Diff& diff,
                       std::span<const analyze::LimitResult> limits, size_t rows);

}  // namespace pyrometer::tui
