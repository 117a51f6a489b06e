// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// A line for each stack: frames, outermost first, with ';' between them, and a count.
// flamegraph.pl's; py-spy (raw), perf's scripts, CPython's own sampler and many others
// write it.
bool RecognisesCollapsed(std::string_view head, bool whole);
base::Status ReadCollapsed(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
