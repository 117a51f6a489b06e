// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "tui/number.h"
#include "tui/sections.h"
#include "tui/text.h"

namespace pyrometer::tui {
namespace {

constexpr uint64_t kWorthShare = 50;  // shown from 1/50 of the run
constexpr uint64_t kWorthRow = 200;   // and each row from 1/200
constexpr size_t kMaxRows = 8;

}  // namespace

void PrintImports(Page& page) {
  const analyze::View& view = page.view();
  if (view.total.import_ns == 0 || view.total.import_ns * kWorthShare < view.total.heat_ns())
    return;
  page.Title("Imports", "with everything that they import themselves");
  page.Line(page.ink()(Tone::kFaint, PadLeft("s", kSecondsWidth) + PadLeft("%", kPercentWidth) +
                                         PadLeft("CPU s", kSecondsWidth) + PadLeft("samples", 9) +
                                         "  module"));
  size_t shown = 0;
  while (shown < std::min(view.imports.size(), kMaxRows) &&
         view.imports[shown].time.heat_ns() * kWorthRow >= view.total.heat_ns())
    ++shown;
  for (const analyze::ImportStats& import : std::span(view.imports).first(shown)) {
    const std::string columns =
        page.SecondsColumn(import.time.heat_ns()) +
        page.PercentColumn(100.0 * static_cast<double>(import.time.heat_ns()) /
                           static_cast<double>(std::max<uint64_t>(view.total.heat_ns(), 1))) +
        page.SecondsColumn(import.time.cpu.ns) + PadLeft(Count(import.time.samples()), 9) + "  ";
    const size_t room = page.width() - Width(columns);
    page.Line(columns + (import.path.empty()
                             ? "(looking for modules)"
                             : CutLeft(page.Path(import.path), room, page.ink().unicode())));
  }
  page.More(view.imports.size(), shown);
}

}  // namespace pyrometer::tui
