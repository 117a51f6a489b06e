// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"
#include "export/core/exchange_options.h"

namespace pyrometer::export_ {

// The file of Python's pstats and cProfile, of one metric that is time: a dictionary in
// the marshal format, in the codes that every Python 3 reads. How often something was
// called is not known: the numbers of calls are those of samples in which it was seen,
// at least 1.
void WritePstats(const Exchange& from, const ExchangeOptions& options, std::ostream& out);

}  // namespace pyrometer::export_
