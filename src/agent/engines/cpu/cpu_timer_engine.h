// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/core/engine.h"

namespace pyrometer::agent {

// Samples stacks at ticks of a CPU timer that each thread has, or at the perf events that the
// collector opens for it. docs/design/0002-clocks.md
extern const Engine kCpuTimerEngine;

}  // namespace pyrometer::agent
