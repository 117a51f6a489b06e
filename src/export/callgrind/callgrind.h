// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The format of callgrind, for KCachegrind and callgrind_annotate: every metric is an
// event, costs are by line of Python. How often something was called is not known:
// `calls=` is the number of samples in which it was seen, at least 1.
void WriteCallgrind(const Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
