// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// A trace of Perfetto in its own protobuf format: every sample of time, and every change
// of memory, as a StackSample with its stack; regions and blocks of event loops as
// slices, counters of memory.
void WritePerfettoTrace(Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
