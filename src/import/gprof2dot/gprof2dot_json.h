// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// What gprof2dot reads as "json": functions, and chains of calls with costs. memray transforms
// its recordings to it.
bool RecognisesGprof2dot(std::string_view head, bool whole);
base::Status ReadGprof2dot(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
