// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"

// Changes in words, the same in every locale and format.
namespace pyrometer::analyze {

// An amount with its sign: "+250 ms".
std::string DifferenceText(const metric::Info& metric, double difference);
// "+5.0 %".
std::string PercentText(double percent);

// "CPU time", "memory at the peak".
std::string MetricText(const metric::Info& metric);

// "5.01 s instead of 4.76 s of CPU time: +250 ms (+5.2 %), 95 % interval +180 ms to +320 ms".
std::string ChangeText(const metric::Info& metric, const Change& change);

// What a limit is about and what became of it, in one sentence. Names in it are not
// trusted.
std::string LimitText(const Diff& diff, const LimitResult& result);

}  // namespace pyrometer::analyze
