// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// A line for each distinct stack with its weight, as flame graph programs read it:
//
//   outer (a.py:1);inner (b.py:2) 1250
//
// Time is in microseconds, memory in bytes. What a weight below one loses goes to the
// next stack, so that the sum holds. `;`, control characters and line ends in names
// become `_`, and so does a `#` that a line begins with.
void WriteCollapsed(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
