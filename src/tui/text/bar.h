// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "analyze/report/breakdown.h"
#include "analyze/report/memory_stats.h"
#include "tui/text/ink.h"

namespace pyrometer::tui {

// A bar of `cells` columns that is full at `full_ns`, split into Python,
// native, kernel and wait, each with its own glyph and colour. Waits of the
// main thread only: see Breakdown::main_wait_ns. Some time is never no bar.
std::string Bar(const analyze::Breakdown& time, uint64_t full_ns, size_t cells, const Ink& ink);

// The same for memory, of Python and native, `bytes` long and split as `split` is.
std::string MemoryBar(uint64_t bytes, const analyze::MemoryByKind& split, uint64_t full_bytes,
                      size_t cells, const Ink& ink);

// The same for Python, native, kernel and wait as they are given.
std::string PartsBar(const std::array<uint64_t, 4>& parts, uint64_t full, size_t cells,
                     const Ink& ink);

// What the glyphs mean, for a table's head; of memory alone without `time`.
std::string BarLegend(const Ink& ink, bool time);

}  // namespace pyrometer::tui
