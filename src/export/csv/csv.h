// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// A table with a row for each line, or function, and columns for all metrics: what it
// has itself, and with all that it called. The first line names the columns. Texts are
// in quotes, and one that a spreadsheet would compute begins with an apostrophe.
void WriteCsv(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
