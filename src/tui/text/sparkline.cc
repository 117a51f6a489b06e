// SPDX-License-Identifier: Apache-2.0
#include "tui/text/sparkline.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pyrometer::tui {
namespace {

constexpr size_t kHeights = 8;
constexpr std::array<std::string_view, kHeights> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, kHeights> kLetters = {".", ":", "-", "=",
                                                             "+", "*", "%", "#"};

}  // namespace

std::string Sparkline(std::span<const uint64_t> values, uint64_t full, size_t cells,
                      const Ink& ink) {
  if (values.empty() || full == 0) return std::string(cells, ' ');
  std::string line;
  for (size_t i = 0; i < cells; ++i) {
    // Of parts that are shorter than a value, each has the value that it is in.
    const size_t begin = i * values.size() / cells;
    const size_t end = std::max(begin + 1, (i + 1) * values.size() / cells);
    const uint64_t value = *std::max_element(values.begin() + static_cast<ptrdiff_t>(begin),
                                             values.begin() + static_cast<ptrdiff_t>(end));
    const double share = std::min(1.0, static_cast<double>(value) / static_cast<double>(full));
    const size_t height =
        std::min(kHeights - 1, static_cast<size_t>(share * static_cast<double>(kHeights)));
    line += value == 0 ? " " : ink.Glyph(kBlocks[height], kLetters[height]);
  }
  return line;
}

}  // namespace pyrometer::tui
