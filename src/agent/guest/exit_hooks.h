// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Arranges that the collector learns with which code this process ends: only
// its parent is told by the kernel, and that need not be us.
// Context: start-up, one thread.
void PrepareExitHooks();

}  // namespace pyrometer::agent
