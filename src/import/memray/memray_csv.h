// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// What `memray transform csv` writes of a recording: allocations with their stacks.
bool RecognisesMemrayCsv(std::string_view head, bool whole);
base::Status ReadMemrayCsv(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
