// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// pyinstrument's JSON: a tree of calls with the time that each took.
bool RecognisesPyinstrument(std::string_view head, bool whole);
base::Status ReadPyinstrument(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
