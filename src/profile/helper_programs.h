// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.h"

namespace pyrometer::profile {

// What the code of `python -c` is called in processes that a Python program has started: the
// bootstrap of multiprocessing, loky or execnet. The user has not written it.
inline constexpr char kHelperProgram[] = "<-c of a helper process>";

// Gives that name to the outermost frames of such processes, which in the capture have the
// same as the program of `pyrometer run python -c ...`. A process that was forked runs the
// program of its parent. `uv run` is no Python program, but asks interpreters what they are:
// there all files have that name, save those of the standard library and of packages.
// May be applied again; keeps the invariants.
void NameHelperPrograms(Profile& profile);

}  // namespace pyrometer::profile
