// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Looks up what the hooks on exec and spawn call.
// Context: start-up, one thread.
void PrepareExecHooks();

}  // namespace pyrometer::agent
