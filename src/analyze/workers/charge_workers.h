// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "profile/profile.h"

namespace pyrometer::analyze {

// Frames between who waits and who works for it.
inline constexpr std::string_view kWorkerThreads = "<worker threads>";
inline constexpr std::string_view kWorkerProcesses = "<worker processes>";

// Gives the CPU time of workers to the line that waits for them: threads of native pools
// (BLAS, OpenMP, polars) and threads and processes in which none of the user's code runs.
// The stack of such a sample becomes that of who waits, up to its innermost Python frame, one
// of the two frames above, and what the stack was. Nothing else of the sample changes, so all
// sums stay. A worker of which it is not clear who waits for it stays as it is.
//
// Pure, but in place: a profile may have millions of samples. Once is enough; workers that
// have been charged are the user's code then.
void ChargeWorkers(profile::Profile& profile);

}  // namespace pyrometer::analyze
