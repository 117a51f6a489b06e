// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// profile.proto of pprof: what Go, many other runtimes and pyrometer itself write.
bool RecognisesPprof(std::string_view head, bool whole);
base::Status ReadPprof(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
