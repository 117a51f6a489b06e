// SPDX-License-Identifier: Apache-2.0
// What the Python package `pyrometer` calls when the program itself starts and
// pauses its recording, and names regions of its work.
//
// Context: any thread, no signal handler. Other processes are not concerned.
#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/hook.h"
#include "agent/core/in_recording.h"
#include "agent/core/recording_state.h"
#include "agent/core/signals_blocked.h"
#include "agent/core/thread_record.h"
#include "agent/core/thread_registry.h"

namespace {

using pyrometer::transport::RecordingState;

enum Command : int { kQuery = 0, kStart = 1, kPause = 2, kStop = 3 };

}  // namespace

// The state of the recording after `command`: a RecordingState plus 1, or 0
// when this process is not recorded.
PYRO_HOOK int pyrometer_control(int command) {
  using pyrometer::agent::g_agent;
  const pyrometer::agent::InRecording inside;
  if (!inside) return 0;
  std::atomic<RecordingState>& state = g_agent.ring.header()->recording;
  RecordingState now = state.load(std::memory_order_relaxed);
  if (command != kQuery && now != RecordingState::kStopped) {
    now = command == kStart   ? RecordingState::kOn
          : command == kPause ? RecordingState::kPaused
                              : RecordingState::kStopped;
    state.store(now, std::memory_order_relaxed);
    pyrometer::agent::RecordingIsOn();  // tells the engines
  }
  return static_cast<int>(now) + 1;
}

// A region that ends now on the calling thread. The caller has read the same
// clocks at its beginning: CLOCK_MONOTONIC and the thread's CPU clock.
PYRO_HOOK void pyrometer_region(const char* name, uint64_t begin_ns, uint64_t begin_cpu_ns) {
  using namespace pyrometer;  // NOLINT(google-build-using-namespace)
  constexpr size_t kMaxName = 1024;
  const agent::InRecording inside;
  if (!inside || !agent::RecordingIsOn()) return;
  const agent::ThreadRecord* thread = agent::CurrentThread();
  if (thread == nullptr) return;
  size_t length = std::strlen(name);
  if (length > kMaxName) length = kMaxName;
  transport::RegionRecord record{};
  record.tid = thread->tid;
  record.name_bytes = static_cast<uint32_t>(length);
  record.begin_ns = begin_ns;
  record.end_ns = agent::NowNs(CLOCK_MONOTONIC);
  record.cpu_ns = agent::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ns;
  const uint32_t bytes = transport::RingWriter::Aligned(sizeof record + length);
  const agent::SignalsBlocked blocked;
  uint8_t* out = agent::g_agent.ring.Reserve(bytes);
  if (out == nullptr) return;
  transport::RingWriter::Fill(out, record);
  std::memcpy(out + sizeof record, name, length);
  transport::RingWriter::Commit(out, bytes, transport::RecordType::kRegion);
}
