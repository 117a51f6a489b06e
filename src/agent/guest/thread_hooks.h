// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pyrometer::agent {

// Looks up what the hook on pthread_create stands before. Context: start-up.
void PrepareThreadHooks();

// What another thread had begun to make before recording was switched on is in the list of
// threads when this is over. Nobody waits for us there, but it may be without a CPU.
// Context: any thread, while a recording begins.
void AwaitUnseenBirths();

}  // namespace pyrometer::agent
