// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.h"

namespace pyrometer::profile {

// Makes frames of source lines where debug information says that native code
// was compiled from Python code or a related language: a .pyx file through Cython's line
// directives, a .py file by a JIT that describes its code. Such frames become
// Python frames of that file, also inlined ones, each with its own; the native
// code that they call stays native, and no sample changes its activity.
//
// A file that belongs to an installed library counts as one of it: where its
// path does not say so and its text was not found either (it was compiled
// somewhere else), the frame stays native.
//
// REQUIRES: the invariants of `profile`; they hold afterwards.
void ExpandSourceFrames(Profile& profile);

}  // namespace pyrometer::profile
