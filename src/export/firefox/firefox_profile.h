// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The processed format of the Firefox Profiler, in its version 64: later versions of
// that program read it as well. Samples weigh the time that they stand for; sources,
// allocations, regions and blocks of event loops as markers, counters of memory.
void WriteFirefoxProfile(Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
