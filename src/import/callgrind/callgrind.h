// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// What valgrind's callgrind writes, and others for KCachegrind.
bool RecognisesCallgrind(std::string_view head, bool whole);
base::Status ReadCallgrind(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
