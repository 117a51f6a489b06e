// SPDX-License-Identifier: Apache-2.0
#include "tui/print_report.h"

#include "tui/page.h"
#include "tui/sections.h"

namespace pyrometer::tui {

void PrintReport(std::ostream& out, const analyze::Report& report, const ReportStyle& style) {
  Page page(out, report, style);
  PrintHead(page);
  if (page.has_time() || page.has_memory()) {
    PrintFiles(page);
    PrintFunctions(page);
    PrintImports(page);
    PrintRegions(page);
    PrintTasks(page);
    PrintMemory(page);
    PrintThreads(page);
  }
  PrintFooter(page);
}

}  // namespace pyrometer::tui
