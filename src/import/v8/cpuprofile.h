// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// V8's profiles of time (.cpuprofile): a tree of calls, and which of them ran when. Chrome,
// Node.js, Visual Studio Code and pyrometer write it.
bool RecognisesCpuProfile(std::string_view head, bool whole);
base::Status ReadCpuProfile(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
