// SPDX-License-Identifier: Apache-2.0
#include "tui/text/number.h"

#include <fmt/format.h>

namespace pyrometer::tui {

std::string Count(uint64_t count) { return metric::CountText(count); }

std::string Seconds(uint64_t ns, int decimals) {
  if (ns == 0) return "";
  return fmt::format("{:.{}f}", static_cast<double>(ns) / 1e9, decimals);
}

std::string Percent(double percent) { return percent > 0 ? metric::PercentDigits(percent) : ""; }

std::string Megabytes(double bytes) {
  if (!(bytes > 0)) return "";
  if (bytes < 0.05e6) return "<0.1";
  if (bytes < 9.95e6) return fmt::format("{:.1f}", bytes / 1e6);
  if (bytes < 1e12) return Count(static_cast<uint64_t>(bytes / 1e6 + 0.5));
  return fmt::format("{:.1e}", bytes / 1e6);
}

}  // namespace pyrometer::tui
