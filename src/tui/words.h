// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "format/records.h"
#include "tui/ink.h"

namespace pyrometer::tui {

// One word for a column: "Python", "I/O", "lock".
std::string_view ShortName(format::Activity activity);
// What completes "waiting for ...".
std::string_view WaitedFor(format::Activity wait);
Tone ToneOf(format::Activity activity);

}  // namespace pyrometer::tui
