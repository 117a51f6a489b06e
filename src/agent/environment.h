// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Takes our variables out of the environment, and LD_PRELOAD back to what the
// user had set, before the interpreter reads it.
// Context: start-up, one thread.
void HideFromEnvironment();

}  // namespace pyrometer::agent
