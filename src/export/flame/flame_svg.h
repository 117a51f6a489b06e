// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// A flame graph of one metric as an image that needs nothing else: the root on top, the
// widest first. Titles show on hovering; a small script in it enlarges a frame on a
// click, and searches. Frames narrower than a tenth of a point are left out.
void WriteFlameSvg(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
