// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/core/importer.h"

namespace pyrometer::import_ {

// Adds `count` counts of a file without units.
void AddCount(ProfileMaker& maker, format::ThreadId thread, format::StackId stack, uint64_t count,
              const CountMeaning& meaning);
// Says what a count was taken for, unless the user has said so.
void NoteCount(ProfileMaker& maker, const CountMeaning& meaning);

}  // namespace pyrometer::import_
