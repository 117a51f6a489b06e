// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/core/engine.h"
#include "base/record_options.h"

// What all doors lead to. A door decides when, and which interpreter; it finds that first
// (g_agent.interpreter), if there is one.
namespace pyrometer::agent {

// What is the same for all recordings of this process: who we are, and what our hooks stand
// before. Of use only once. Context: before anything else, one thread.
void Prepare(const base::RecordOptions& options);

// Begins to record this process, with all its threads. False: it is being recorded already, or
// cannot be; it then runs on as before.
// Context: any thread, outside handlers.
bool Start(const base::RecordOptions& options, const Moment& moment);

// Ends it: from here on all hooks pass on, and what the recording had (timers, the ring) is given
// back. Hooks stay where they are, our signal stays ours and threads keep the room for their
// samples, all for the next Start(). True when nothing is recorded and all is released; false
// while a thread that was sampled has not come back from that. Call it again, or Start() does.
// Context: as for Start.
bool Stop();

}  // namespace pyrometer::agent
