// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The .cpuprofile of V8, which editors and browsers show, of one metric that is time.
// It knows one timeline only: that of the metric, thread after thread, each below a
// node of its own. Lines of
// Python are in `positionTicks`, with the native code that they called.
void WriteCpuProfile(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
