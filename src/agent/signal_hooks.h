// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Picks a real-time signal that nobody uses, installs the handler and returns
// its number; 0 when there is none.
// Context: start-up, before main.
int TakeSignal();

// Lets our signal through on the calling thread, whatever mask it inherited.
// Remembers in the thread's record that the program had it blocked.
void UnblockSignal();

}  // namespace pyrometer::agent
