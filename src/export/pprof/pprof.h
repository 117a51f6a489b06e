// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The profile.proto of pprof, compressed with gzip. Every metric is a sample type; who
// ran a stack is in labels: process, thread, task, region. Python frames have no
// mapping, because readers merge the lines of a mapping's function.
void WritePprof(Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
