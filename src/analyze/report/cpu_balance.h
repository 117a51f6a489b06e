// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analyze/report/report.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// Compares the CPU clocks of the recorded threads with what the kernel has counted for the
// program and all that it has waited for, and with how long the threads have lived. Adds a loss
// where more than 2 % is missing, and a note where more was recorded than there can be.
void CheckCpuBalance(const profile::Profile& profile, Report& report);

}  // namespace pyrometer::analyze
