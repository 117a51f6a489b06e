// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// What `perf script` prints: for each sample a line that says who and what, then a line for
// each frame, innermost first.
bool RecognisesPerfScript(std::string_view head, bool whole);
base::Status ReadPerfScript(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
