// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/thread_record.h"

namespace pyrometer::agent {

// The record of the calling thread, or nullptr. Signal-safety: safe.
ThreadRecord* CurrentThread();

// Starts sampling the calling thread. Blocks signals meanwhile. `stack_end` is where its stack
// ends; 0: at the caller's frame, where a new thread begins.
// Context: the thread itself, outside handlers. Without memory or timer the
// thread runs unsampled and is counted.
void StartThread(bool is_main, uint64_t stack_end = 0);

// Counts the threads of this process but the calling one, which nobody has started sampling.
// Context: as StartThread.
void CountOtherThreads();

// Ends it: gives the record back and reports the thread's CPU time.
// Context: as StartThread.
void EndThread();

// In the child of a fork: the calling thread is the only one, its timer and
// the other records are gone.
void RestartAfterFork();

}  // namespace pyrometer::agent
