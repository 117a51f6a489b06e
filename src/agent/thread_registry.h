// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include "agent/thread_record.h"

namespace pyrometer::agent {

// The record of the calling thread, or nullptr. A thread that is older than the recording takes
// the one that was made for it. Signal-safety: safe.
ThreadRecord* CurrentThread();

// Before the first thread: makes the key by which the end of a thread is noticed. `make` is the
// real pthread_key_create.
using MakeKey = int (*)(pthread_key_t*, void (*)(void*));
bool PrepareThreads(MakeKey make);

// Starts sampling the calling thread. Blocks signals meanwhile. `stack_end` is where its stack
// ends; 0: at the caller's frame, where a new thread begins. `may_be_listed`: ThreadsAreListed()
// when it was made.
// Context: the thread itself, outside handlers. Without memory or timer the
// thread runs unsampled and is counted.
void StartThread(bool is_main, uint64_t stack_end = 0, bool may_be_listed = false);

// Where a recording begins when there may be other threads: from the first call on, new threads
// may be in the list that the second one reads. That gives each thread that has none a record and
// a timer. The thread finds its record at the first tick, or when it comes to one of our hooks.
// One that has our signal blocked cannot be sampled, and is counted.
// Context: as StartThread; between the two, recording is switched on.
void ExpectOtherThreads();
void StartOtherThreads();
bool ThreadsAreListed();

// Ends it: gives the record back and reports the thread's CPU time.
// Context: as StartThread.
void EndThread();

// In the child of a fork: the calling thread is the only one, its timer and
// the other records are gone.
void RestartAfterFork();

}  // namespace pyrometer::agent
