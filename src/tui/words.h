// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyze/measure.h"
#include "format/records.h"
#include "tui/ink.h"

namespace pyrometer::tui {

// One word for a column: "Python", "I/O", "lock".
std::string_view ShortName(format::Activity activity);
// What completes "waiting for ...".
std::string_view WaitedFor(format::Activity wait);
// The head of a column of it, with its unit: "CPU s", "live MB".
std::string_view HeadOf(analyze::Measure measure);
// `value` of it, in that unit.
std::string ValueText(analyze::Measure measure, uint64_t value, int decimals);
Tone ToneOf(format::Activity activity);

}  // namespace pyrometer::tui
