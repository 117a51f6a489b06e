// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/records.h"
#include "metric/metric.h"
#include "tui/text/ink.h"

namespace pyrometer::tui {

// One word for a column: "Python", "I/O", "lock".
std::string_view ShortName(format::Activity activity);
// "by time (CPU of all threads + main-thread waits)".
std::string RankedBy(const metric::Info& info);
// The head of a column of it, with its unit: "CPU s", "live MB". What a recording declares is not
// trusted.
std::string HeadOf(const metric::Info& info);
// `value` of it, in that unit.
std::string ValueText(const metric::Info& info, uint64_t value, int decimals);
Tone ToneOf(format::Activity activity);

}  // namespace pyrometer::tui
