// SPDX-License-Identifier: Apache-2.0
#include "tui/text/bar.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using enum format::Activity;

struct Part {
  Tone tone;
  uint64_t amount;
  size_t cells = 0;
};

// Deals out `cells` so that each part's error is below one cell: whole cells
// first, then one each to the largest remainders.
void Deal(std::span<Part> parts, uint64_t sum, size_t cells) {
  std::vector<double> wanted(parts.size());
  size_t dealt = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    wanted[i] = static_cast<double>(cells) * static_cast<double>(parts[i].amount) /
                static_cast<double>(sum);
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

// A bar as long as `length` is of `full`, split as the parts, whose sum is `sum`.
std::string SplitBar(std::span<Part> parts, uint64_t sum, uint64_t length, uint64_t full,
                     size_t cells, const Ink& ink) {
  if (sum == 0 || length == 0 || full == 0) return std::string(cells, ' ');
  const double share = std::min(1.0, static_cast<double>(length) / static_cast<double>(full));
  const size_t filled = static_cast<size_t>(share * static_cast<double>(cells) + 0.5);
  if (filled == 0) {
    const Part& largest =
        *std::max_element(parts.begin(), parts.end(),
                          [](const Part& a, const Part& b) { return a.amount < b.amount; });
    return ink(largest.tone, ink.Glyph("▏", ".")) + std::string(cells - 1, ' ');
  }
  Deal(parts, sum, filled);
  std::string bar;
  for (const Part& part : parts) {
    std::string run;
    for (size_t i = 0; i < part.cells; ++i) run += ink.Cell(part.tone);
    bar += ink(part.tone, run);
  }
  return bar + std::string(cells - filled, ' ');
}

}  // namespace

std::string Bar(const analyze::Breakdown& time, uint64_t full_ns, size_t cells, const Ink& ink) {
  return PartsBar({time[kPython].ns, time[kNative].ns, time[kKernel].ns, time.main_wait_ns()},
                  full_ns, cells, ink);
}

std::string PartsBar(const std::array<uint64_t, 4>& parts, uint64_t full, size_t cells,
                     const Ink& ink) {
  std::array<Part, 4> split = {{{Tone::kPython, parts[0]},
                                {Tone::kNative, parts[1]},
                                {Tone::kKernel, parts[2]},
                                {Tone::kWait, parts[3]}}};
  const uint64_t sum = parts[0] + parts[1] + parts[2] + parts[3];
  return SplitBar(split, sum, sum, full, cells, ink);
}

std::string MemoryBar(uint64_t bytes, const analyze::MemoryByKind& split, uint64_t full_bytes,
                      size_t cells, const Ink& ink) {
  std::array<Part, 2> parts = {
      {{Tone::kPython, split.python().bytes}, {Tone::kNative, split.native().bytes}}};
  return SplitBar(parts, split.bytes(), bytes, full_bytes, cells, ink);
}

std::string BarLegend(const Ink& ink, bool time) {
  std::string legend;
  const auto add = [&](Tone tone, std::string_view name) {
    if (!legend.empty()) legend += "  ";
    legend += ink(tone, ink.Cell(tone)) + " " + std::string(name);
  };
  add(Tone::kPython, "Python");
  add(Tone::kNative, "native");
  if (time) {
    add(Tone::kKernel, "kernel");
    add(Tone::kWait, "wait");
  }
  return legend;
}

}  // namespace pyrometer::tui
