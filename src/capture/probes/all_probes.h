// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/core/probe.h"

namespace pyrometer::capture {

// The probes that a process is recorded with: those that the options ask for and that can work
// over its target. The list of all that there are.
Probes MakeAllProbes(const ProbeContext& context);

}  // namespace pyrometer::capture
