// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tui/page/page.h"

// What all formats list, and the words for it.
namespace pyrometer::tui {

struct FunctionRow {
  const analyze::FileStats* file;
  const analyze::FunctionStats* function;
};

// Lines that are listed and have any of `metric`, most first.
std::vector<analyze::LineRef> ListedLines(const Page& page, metric::Metric metric);
// How many of them to show: as many as are wanted, else those that have at least
// the threshold, `most` of them, but not too few.
size_t WorthCount(const Page& page, metric::Metric metric,
                  const std::vector<analyze::LineRef>& ranked, size_t most);
// Functions that are listed and worth it, most of the page's metric first.
std::vector<FunctionRow> ListedFunctions(const Page& page);
// Growing lines that are listed, fastest first.
std::vector<const analyze::LeakStats*> ListedLeaks(const Page& page);

// The text of the line without its indent, else "in function"; printable.
std::string CodeText(const Page& page, const analyze::LineRef& ref);
// "tuple 31 MB, float 17 MB".
std::string TypesText(const Page& page, const analyze::LeakStats& leak);
// Percent that the growth is no accident; never rounded up to certainty.
std::string SureText(const analyze::LeakStats& leak);

}  // namespace pyrometer::tui
