// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "agent/core/agent.h"
#include "agent/core/engine.h"

namespace pyrometer::agent {

// Tells the engines of every change of the state that they do not know of yet, in order. One
// thread at a time; what it misses is noticed at the next event.
inline void TellRecordingState() {
  using transport::RecordingState;
  if (g_agent.telling.exchange(true, std::memory_order_acquire)) return;
  const RecordingState now = g_agent.ring.header()->recording.load(std::memory_order_relaxed);
  const RecordingState before = g_agent.told.exchange(now, std::memory_order_relaxed);
  const bool on = now == RecordingState::kOn;
  if (on != (before == RecordingState::kOn)) TellEngines(on ? &Engine::resume : &Engine::pause);
  g_agent.telling.store(false, std::memory_order_release);
}

// Whether samples are wanted now. The collector switches that from outside, where nobody can call
// the engines: they are told by whoever asks first.
// REQUIRES: inside the recording. Signal-safety: safe.
inline bool RecordingIsOn() {
  const transport::RecordingState now =
      g_agent.ring.header()->recording.load(std::memory_order_relaxed);
  if (now != g_agent.told.load(std::memory_order_relaxed)) [[unlikely]]
    TellRecordingState();
  return now == transport::RecordingState::kOn;
}

}  // namespace pyrometer::agent
