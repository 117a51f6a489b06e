// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "analyze/report/memory_stats.h"
#include "tui/page/page.h"

namespace pyrometer::tui {

// The columns of memory in the tables of files and lines: most at once with a
// bar of Python and native, and where there is room how it went over time, what
// was allocated in all, and copies. No columns where no memory was recorded.
//
// Lives no longer than the page.
class MemoryColumns {
 public:
  // `shown`: false where the table would have none.
  explicit MemoryColumns(const Page& page, bool shown = true);

  size_t width() const;
  std::string Heads() const;
  // Blank for null.
  std::string Row(const analyze::MemoryStats* memory) const;

 private:
  const Page& page_;
  const bool any_;
  const bool allocated_;
  const bool copies_;
  const size_t bar_cells_;
  const size_t spark_cells_;
};

}  // namespace pyrometer::tui
