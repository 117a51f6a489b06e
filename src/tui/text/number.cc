// SPDX-License-Identifier: Apache-2.0
#include "tui/text/number.h"

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

std::string WholePercent(uint64_t part, uint64_t whole) {
  const double percent =
      whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.0f} %", percent);
}

std::string Bytes(uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (value < 9.95e3) return fmt::format("{:.1f} kB", value / 1e3);
  if (value < 999.5e3) return fmt::format("{:.0f} kB", value / 1e3);
  if (value < 9.95e6) return fmt::format("{:.1f} MB", value / 1e6);
  if (value < 999.5e6) return fmt::format("{:.0f} MB", value / 1e6);
  if (value < 9.995e9) return fmt::format("{:.2f} GB", value / 1e9);
  if (value < 99.95e9) return fmt::format("{:.1f} GB", value / 1e9);
  if (value < 1e15) return Count(static_cast<uint64_t>(value / 1e9 + 0.5)) + " GB";
  return fmt::format("{:.1e} GB", value / 1e9);
}

std::string Megabytes(double bytes) {
  if (!(bytes > 0)) return "";
  if (bytes < 0.05e6) return "<0.1";
  if (bytes < 9.95e6) return fmt::format("{:.1f}", bytes / 1e6);
  if (bytes < 1e12) return Count(static_cast<uint64_t>(bytes / 1e6 + 0.5));
  return fmt::format("{:.1e}", bytes / 1e6);
}

std::string Count(uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace pyrometer::tui
