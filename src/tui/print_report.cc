// SPDX-License-Identifier: Apache-2.0
#include "tui/print_report.h"

#include "tui/page/page.h"
#include "tui/sections/sections.h"

namespace pyrometer::tui {

namespace {

void PrintBody(Page& page) {
  if (page.listing().shape == Listing::Shape::kTree) return PrintCallTree(page);
  // The other tables are about time and memory.
  const bool declared = !page.has_time() && !page.has_memory();
  if (page.listing().shape == Listing::Shape::kFlat || declared)
    PrintFlat(page);
  else
    PrintFiles(page);
  PrintFunctions(page);
  // What follows is of the whole program, but for the memory of lines.
  const bool whole = !page.listing().restricted();
  if (whole) PrintImports(page);
  if (whole) PrintRegions(page);
  if (whole) PrintTasks(page);
  PrintMemory(page);
  if (whole) PrintThreads(page);
}

}  // namespace

void PrintReport(std::ostream& out, const analyze::Report& report, const ReportStyle& style,
                 const Listing& listing) {
  Page page(out, report, style, listing);
  PrintHead(page);
  if (!page.view().total.empty() || page.has_memory()) PrintBody(page);
  PrintFooter(page);
}

}  // namespace pyrometer::tui
