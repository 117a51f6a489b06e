// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "metric/amount_text.h"

// Numbers as people read them: those of metric/amount_text.h, and shorter ones for columns that
// have the unit in their head.
namespace pyrometer::tui {

using metric::WholePercent;

// "8.04 ms", "120 ms", "3.41 s", "1,234 s".
inline std::string Duration(uint64_t ns) { return metric::TimeText(static_cast<double>(ns)); }
// "12.0 kB", "8.10 MB", "512 MB", "1.20 GB"; of 1,000 bytes each.
inline std::string Bytes(uint64_t bytes) { return metric::BytesText(static_cast<double>(bytes)); }
// "1,204".
std::string Count(uint64_t count);

// Seconds without a unit, for a column: "3.410"; empty for nothing.
std::string Seconds(uint64_t ns, int decimals);
// "62.0", "6.2", "<0.1"; empty for nothing. Without the sign.
std::string Percent(double percent);
// Millions of bytes without a unit, for a column: "1,204", "8.1", "<0.1"; empty for
// nothing; never more than 9 columns.
std::string Megabytes(double bytes);

}  // namespace pyrometer::tui
