// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// perfetto_trace.proto: samples with stacks, as pyrometer writes them too, samples of perf,
// and slices of programs that trace themselves.
bool RecognisesPerfetto(std::string_view head, bool whole);
base::Status ReadPerfetto(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
