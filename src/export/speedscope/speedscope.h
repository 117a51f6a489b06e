// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The JSON of speedscope: one profile for each metric and thread that has any of it,
// or for the one metric that was asked for. Frames are lines, or functions.
void WriteSpeedscope(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
