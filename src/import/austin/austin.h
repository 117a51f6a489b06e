// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// The text of austin: collapsed stacks with a process and a thread before each, and
// microseconds or bytes behind it.
bool RecognisesAustin(std::string_view head, bool whole);
base::Status ReadAustin(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

// The same in binary form, called MOJO.
bool RecognisesMojo(std::string_view head, bool whole);
base::Status ReadMojo(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
