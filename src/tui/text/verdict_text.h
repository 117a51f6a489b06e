// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analyze/report/report.h"

namespace pyrometer::tui {

// A verdict as a sentence. `first`: it is the answer, not one of the others.
// `place` is its place, fit for where the sentence goes; not used where it has none. So is
// `verdict.title`, which is not trusted: callers make it fit.
std::string VerdictText(const analyze::Verdict& verdict, bool first, const std::string& place);

// "score()", "<module>": a function in such a sentence.
std::string CalledName(const std::string& printable);

}  // namespace pyrometer::tui
