// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "metric/metric.h"

// Numbers for people, the same in every locale and every output: three digits that count. The
// page formats its own, by the same cases: tests/corpus/numbers.json.
namespace pyrometer::metric {

// "1.25 s", "120 ms", "1.50 us", "1,235 s".
std::string TimeText(double ns);
// "8.10 MB", "512 MB", "12.0 kB"; a MB is 1,000,000 bytes.
std::string BytesText(double bytes);
// "1,204".
std::string CountText(uint64_t count);
// An amount in the unit of its metric; of counts, there may be billions: "2.47 G".
std::string AmountText(const Info& info, double amount);

// "62.3 %", "<0.1 %"; "-" of nothing.
std::string ShareText(double part, double whole);
// "62.3", "<0.1", "100": the same without the sign, for a column that has it in its head.
std::string PercentDigits(double percent);
// "62 %": in a sentence, without decimals.
std::string WholePercent(uint64_t part, uint64_t whole);

}  // namespace pyrometer::metric
