// SPDX-License-Identifier: Apache-2.0
// What the Python package `pyrometer` calls when the program itself starts and
// pauses its recording.
//
// Context: any thread, no signal handler. Other processes are not concerned.
#include "agent/agent.h"

namespace {

using pyrometer::transport::RecordingState;

enum Command : int { kQuery = 0, kStart = 1, kPause = 2, kStop = 3 };

}  // namespace

// The state of the recording after `command`: a RecordingState plus 1, or 0
// when this process is not recorded.
extern "C" __attribute__((visibility("default"))) int pyrometer_control(int command) {
  using pyrometer::agent::g_agent;
  pyrometer::transport::RingHeader* header = g_agent.ring.header();
  if (header == nullptr || !g_agent.active.load(std::memory_order_relaxed)) return 0;
  std::atomic<RecordingState>& state = header->recording;
  RecordingState now = state.load(std::memory_order_relaxed);
  if (command != kQuery && now != RecordingState::kStopped) {
    now = command == kStart   ? RecordingState::kOn
          : command == kPause ? RecordingState::kPaused
                              : RecordingState::kStopped;
    state.store(now, std::memory_order_relaxed);
  }
  return static_cast<int>(now) + 1;
}
