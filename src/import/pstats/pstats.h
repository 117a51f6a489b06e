// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// What cProfile and profile of Python dump, and CPython's own sampler with --pstats.
bool RecognisesPstats(std::string_view head, bool whole);
base::Status ReadPstats(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
