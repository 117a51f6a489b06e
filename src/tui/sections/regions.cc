// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/text.h"

namespace pyrometer::tui {

void PrintRegions(Page& page) {
  constexpr size_t kMaxRows = 16;
  const std::vector<analyze::RegionStats>& regions = page.report().regions;
  if (regions.empty()) return;
  page.Title("Regions");
  page.Line(page.ink()(Tone::kFaint, PadLeft("wall s", kSecondsWidth) +
                                         PadLeft("CPU s", kSecondsWidth) + PadLeft("count", 9) +
                                         PadLeft("mean", 9) + PadLeft("longest", 9) +
                                         PadLeft("samples", 9) + "  name"));
  const size_t shown = std::min(regions.size(), kMaxRows);
  for (const analyze::RegionStats& region : std::span(regions).first(shown)) {
    const std::string row = page.SecondsColumn(region.wall_ns) + page.SecondsColumn(region.cpu_ns) +
                            PadLeft(Count(region.count), 9) +
                            PadLeft(Duration(region.wall_ns / region.count), 9) +
                            PadLeft(Duration(region.longest_ns), 9) +
                            PadLeft(Count(region.samples), 9) + "  " + page.Text(region.name);
    page.Line(CutRight(row, page.width(), page.ink().unicode()));
  }
  page.More(regions.size(), shown);
}

}  // namespace pyrometer::tui
