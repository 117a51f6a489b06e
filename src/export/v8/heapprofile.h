// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The .heapprofile of V8, which editors and browsers show, of one metric that is
// memory: what was live at the peak, unless another one is asked for.
void WriteHeapProfile(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
