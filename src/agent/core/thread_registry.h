// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/core/thread_record.h"

namespace pyrometer::agent {

// The record of the calling thread, or nullptr. A thread that is older than the recording takes
// the one that was made for it. Signal-safety: safe.
ThreadRecord* CurrentThread();
// The same for who takes a sample: nullptr also where the recording does not know the thread yet,
// which has its record from another one.
inline ThreadRecord* SampledThread() {
  ThreadRecord* record = CurrentThread();
  const bool known = record != nullptr && record->is_told.load(std::memory_order_acquire);
  return known ? record : nullptr;
}

// Before the first thread, and of use only once: makes the key by which the end of a thread is
// noticed, and finds the engines' places in records.
bool PrepareThreads();

// Starts sampling the calling thread, also one that has a record from an earlier recording. Blocks
// signals meanwhile. `stack_end` is where its stack ends; 0: at the caller's frame, where a new
// thread begins.
// Context: the thread itself, outside handlers. Without memory or timer the thread runs unsampled
// and is counted.
void StartThread(bool is_main, uint64_t stack_end = 0);

// Where a recording begins when there may be other threads: starts those that have a record from an
// earlier one, and gives each thread that has none a record, and starts it. The thread finds its
// record at the first tick, or when it comes to one of our hooks. One that has our signal blocked
// cannot be sampled, and is counted.
// Context: as StartThread; recording is switched on already.
void StartOtherThreads();

// Ends it: gives the record back and reports the thread's CPU time.
// Context: as StartThread.
void EndThread();

// Ends the sampling of all threads: the engines are told, timers and the like go. Threads keep
// their records, for the next recording.
// Context: nobody is inside the recording.
void EndAllThreads();

// In the child of a fork: the calling thread is the only one, its timer and
// the other records are gone. `on`: the child has a ring.
void RestartAfterFork(bool on);

}  // namespace pyrometer::agent
