// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// Scalene's JSON: shares of time and amounts of memory for each line.
bool RecognisesScalene(std::string_view head, bool whole);
base::Status ReadScalene(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
