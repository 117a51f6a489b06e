// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// V8's profiles of memory (.heapprofile): a tree of calls with what each has in use.
bool RecognisesHeapProfile(std::string_view head, bool whole);
base::Status ReadHeapProfile(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
