// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// Chrome's trace events: calls with their times, by process and thread. PyTorch's profiler
// (Kineto), viztracer, Chrome and pyrometer write it.
bool RecognisesChromeTrace(std::string_view head, bool whole);
base::Status ReadChromeTrace(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
