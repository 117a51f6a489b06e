// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The call graph of one metric for Graphviz. Functions with less than half a percent
// and calls with less than a tenth of a percent of it are left out; a node at the
// edge says how many.
void WriteDot(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
