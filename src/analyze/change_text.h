// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analyze/diff.h"
#include "analyze/limit.h"

// Changes in words, the same in every locale and format.
namespace pyrometer::analyze {

// "1.25 s", "120 ms", "8.1 MB" of ns or bytes; with a sign where it is a difference.
std::string AmountText(Measure measure, double amount);
std::string DifferenceText(Measure measure, double difference);
// "+5.0 %".
std::string PercentText(double percent);

// "CPU time", "memory at the peak".
std::string MeasureText(Measure measure);

// "5.01 s instead of 4.76 s of CPU time: +250 ms (+5.2 %), 95 % interval +180 ms to +320 ms".
std::string ChangeText(Measure measure, const Change& change);

// What a limit is about and what became of it, in one sentence. Names in it are not
// trusted.
std::string LimitText(const Diff& diff, const LimitResult& result);

}  // namespace pyrometer::analyze
