// SPDX-License-Identifier: Apache-2.0
#include "tui/number.h"

#include <fmt/format.h>

namespace pyrometer::tui {

std::string Duration(uint64_t ns) {
  const double seconds = static_cast<double>(ns) / 1e9;
  if (ns < 9'950'000) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (ns < 999'500'000) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 999.95) return fmt::format("{:.1f} s", seconds);
  return Count(ns / 1'000'000'000 + (ns % 1'000'000'000 >= 500'000'000 ? 1 : 0)) + " s";
}

std::string Seconds(uint64_t ns, int decimals) {
  if (ns == 0) return "";
  return fmt::format("{:.{}f}", static_cast<double>(ns) / 1e9, decimals);
}

std::string Percent(double percent) {
  if (!(percent > 0)) return "";
  if (percent < 0.05) return "<0.1";
  return percent < 9.95 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent);
}

std::string Count(uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace pyrometer::tui
