// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// Numbers as people read them, the same in every locale.
namespace pyrometer::tui {

// "8.0 ms", "120 ms", "3.41 s", "1,234 s".
std::string Duration(uint64_t ns);
// Seconds without a unit, for a column: "3.410"; empty for nothing.
std::string Seconds(uint64_t ns, int decimals);
// "62", "6.2", "<0.1"; empty for nothing. Without the sign.
std::string Percent(double percent);
// "62 %": of a whole, without decimals.
std::string WholePercent(uint64_t part, uint64_t whole);
// "12 kB", "8.1 MB", "512 MB", "1.20 GB"; of 1,000 bytes each.
std::string Bytes(uint64_t bytes);
// Millions of bytes without a unit, for a column: "1,204", "8.1", "<0.1"; empty for
// nothing; never more than 9 columns.
std::string Megabytes(double bytes);
// "1,204".
std::string Count(uint64_t count);

}  // namespace pyrometer::tui
