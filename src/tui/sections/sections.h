// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tui/page/page.h"

// The sections of the console report, in the order in which they appear. Each
// prints nothing when it has nothing to say.
namespace pyrometer::tui {

void PrintHead(Page& page);       // the command, verdicts, totals
void PrintFiles(Page& page);      // ranking of files, then their lines
void PrintFlat(Page& page);       // instead: lines of all files, ranked
void PrintCallTree(Page& page);   // instead: who calls whom
void PrintFunctions(Page& page);  // Python functions, then native ones
void PrintImports(Page& page);    // what importing took
void PrintRegions(Page& page);    // what the program has named
void PrintTasks(Page& page);      // what asyncio tasks run and await, what held their loop
void PrintMemory(Page& page);     // resident memory, lines with most, what grows, copies
void PrintThreads(Page& page);    // threads, the GIL, processes, ranks
void PrintFooter(Page& page);     // losses, own cost, quality

}  // namespace pyrometer::tui
