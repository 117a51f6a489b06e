// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

namespace pyrometer::agent {

// Marks the signals of our timers, so that a program which uses the same
// number for something else can be told apart.
inline constexpr unsigned kTimerMark = 0x70797230;

// Whether the signal comes from one of our clocks.
bool IsOurSignal(const siginfo_t* info);

// Takes one sample of the calling thread, as it was interrupted.
// Context: signal handler with all signals blocked. Never allocates, never
// blocks, never faults, leaves errno as it was.
void TakeSample(const siginfo_t* info, void* context);

}  // namespace pyrometer::agent
