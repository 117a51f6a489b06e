// SPDX-License-Identifier: Apache-2.0
#include "tui/bar.h"

#include <algorithm>
#include <array>

#include "tui/text.h"

namespace pyrometer::tui {
namespace {

using enum format::Activity;

struct Part {
  Tone tone;
  uint64_t ns;
  size_t cells = 0;
};

// Deals out `cells` so that each part's error is below one cell: whole cells
// first, then one each to the largest remainders.
void Deal(std::array<Part, 4>& parts, uint64_t sum, size_t cells) {
  std::array<double, 4> wanted;
  size_t dealt = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    wanted[i] =
        static_cast<double>(cells) * static_cast<double>(parts[i].ns) / static_cast<double>(sum);
    parts[i].cells = static_cast<size_t>(wanted[i]);
    dealt += parts[i].cells;
  }
  for (; dealt < cells; ++dealt) {
    size_t best = 0;
    const auto missing = [&](size_t i) { return wanted[i] - static_cast<double>(parts[i].cells); };
    for (size_t i = 1; i < parts.size(); ++i)
      if (missing(i) > missing(best)) best = i;
    ++parts[best].cells;
  }
}

}  // namespace

std::string Bar(const analyze::Breakdown& time, uint64_t full_ns, size_t cells, const Ink& ink) {
  const uint64_t sum = time.heat_ns();
  if (sum == 0 || full_ns == 0) return std::string(cells, ' ');
  std::array<Part, 4> parts = {{{Tone::kPython, time[kPython].ns},
                                {Tone::kNative, time[kNative].ns},
                                {Tone::kKernel, time[kKernel].ns},
                                {Tone::kWait, time.main_wait_ns}}};
  const double share = std::min(1.0, static_cast<double>(sum) / static_cast<double>(full_ns));
  const size_t length = static_cast<size_t>(share * static_cast<double>(cells) + 0.5);
  if (length == 0) {
    const Part& largest = *std::max_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.ns < b.ns; });
    return ink(largest.tone, ink.Glyph("▏", ".")) + std::string(cells - 1, ' ');
  }
  Deal(parts, sum, length);
  std::string bar;
  for (const Part& part : parts) {
    std::string run;
    for (size_t i = 0; i < part.cells; ++i) run += ink.Cell(part.tone);
    bar += ink(part.tone, run);
  }
  return bar + std::string(cells - length, ' ');
}

std::string BarLegend(const Ink& ink) {
  std::string legend;
  const auto add = [&](Tone tone, std::string_view name) {
    if (!legend.empty()) legend += "  ";
    legend += ink(tone, ink.Cell(tone)) + " " + std::string(name);
  };
  add(Tone::kPython, "Python");
  add(Tone::kNative, "native");
  add(Tone::kKernel, "kernel");
  add(Tone::kWait, "wait");
  return legend;
}

}  // namespace pyrometer::tui
