// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// speedscope's own format: a list of frames, and profiles of samples with weights or of
// calls that begin and end. py-spy, pyinstrument, pyrometer and many others write it.
bool RecognisesSpeedscope(std::string_view head, bool whole);
base::Status ReadSpeedscope(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);

}  // namespace pyrometer::import_
