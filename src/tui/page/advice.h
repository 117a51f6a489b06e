// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyze/report/report.h"

namespace pyrometer::tui {

// Where to look after a first report, each in a sentence, most important first;
// never empty. Has no text from the capture in it.
std::vector<std::string> NextSteps(const analyze::Report& report);

}  // namespace pyrometer::tui
