// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Takes our variables out of the environment, and LD_PRELOAD back to what the
// user had set, before the interpreter reads it. Returns the entry that had the
// options, which lives as long as the process.
// Context: start-up, one thread.
char* HideFromEnvironment();

}  // namespace pyrometer::agent
