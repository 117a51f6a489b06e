// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "tui/sections/sections.h"
#include "tui/text/number.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

constexpr uint64_t kWorthShare = 50;  // shown from 1/50 of the run
constexpr uint64_t kWorthRow = 200;   // and each row from 1/200
constexpr size_t kMaxRows = 8;

}  // namespace

void PrintImports(Page& page) {
  const analyze::View& view = page.view();
  if (view.total.import_ns() == 0 || view.total.import_ns() * kWorthShare < view.total.time_ns())
    return;
  page.Title("Imports", "with everything that they import themselves");
  page.Line(page.ink()(Tone::kFaint, PadLeft("s", kSecondsWidth) + PadLeft("%", kPercentWidth) +
                                         PadLeft("CPU s", kSecondsWidth) + PadLeft("samples", 9) +
                                         "  module"));
  size_t shown = 0;
  while (shown < std::min(view.imports.size(), kMaxRows) &&
         view.imports[shown].time.time_ns() * kWorthRow >= view.total.time_ns())
    ++shown;
  for (const analyze::ImportStats& import : std::span(view.imports).first(shown)) {
    const std::string columns =
        page.SecondsColumn(import.time.time_ns()) +
        page.PercentColumn(100.0 * static_cast<double>(import.time.time_ns()) /
                           static_cast<double>(std::max<uint64_t>(view.total.time_ns(), 1))) +
        page.SecondsColumn(import.time.cpu().ns) + PadLeft(Count(import.time.samples()), 9) + "  ";
    const size_t room = page.width() - Width(columns);
    page.Line(columns + (import.path.empty()
                             ? "(looking for modules)"
                             : CutLeft(page.Path(import.path), room, page.ink().unicode())));
  }
  page.More(view.imports.size(), shown);
}

}  // namespace pyrometer::tui
