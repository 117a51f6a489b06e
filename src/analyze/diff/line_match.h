// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pyrometer::analyze {

// Which line of `old_lines` each line of `new_lines` was, by index; empty: it is new.
// Indentation does not count. Lines that stand for as many others, between lines that
// are the same, are taken for those, changed. Indices rise.
std::vector<std::optional<size_t>> MatchLines(std::span<const std::string> old_lines,
                                              std::span<const std::string> new_lines);

// The share of lines, empty ones apart, that two texts have in common: 0 to 1.
double Likeness(std::span<const std::string> a, std::span<const std::string> b);

}  // namespace pyrometer::analyze
