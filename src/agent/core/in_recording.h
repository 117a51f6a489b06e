// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/core/agent.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {

// Who touches the ring, or what belongs to a recording, is inside it for as long as one of these
// lives, if it says so: the ring is mapped meanwhile, and Stop() waits. Made anew for each event
// (a tick, a sampled request, a thread that begins); costs two atomic additions at a place that
// few threads share. May be nested. Never held while code of the program runs.
//
// Signal-safety: safe.
class InRecording {
 public:
  InRecording() : door_(OwnDoor()) {
    // Either this load sees what Stop() has written, or Stop() sees this addition.
    door_.fetch_add(1, std::memory_order_seq_cst);
    inside_ = g_agent.active.load(std::memory_order_seq_cst);
    if (!inside_) door_.fetch_sub(1, std::memory_order_release);
  }
  ~InRecording() {
    if (inside_) door_.fetch_sub(1, std::memory_order_release);
  }
  InRecording(const InRecording&) = delete;
  InRecording& operator=(const InRecording&) = delete;

  explicit operator bool() const { return inside_; }

 private:
  static std::atomic<uint32_t>& OwnDoor() {
    static_assert(Agent::kDoors == 16);
    const auto thread = reinterpret_cast<uint64_t>(__builtin_thread_pointer());
    return g_agent.doors[(thread >> 6) * 0x9e3779b97f4a7c15 >> 60].inside;
  }

  std::atomic<uint32_t>& door_;
  bool inside_;
};

// Waits until nobody is inside. REQUIRES: not active, or some will come in again. False: somebody
// still is after a second. A thread that has left by longjmp stays inside for good.
inline bool AwaitNobodyInside() {
  constexpr int kMaxPauses = 10'000;
  const timespec pause{0, 100'000};
  for (int i = 0; i < kMaxPauses; ++i) {
    uint32_t inside = 0;
    for (const Agent::Door& door : g_agent.doors) inside |= door.inside.load();
    if (inside == 0) return true;
    sigsafe::Syscall(SYS_nanosleep, sigsafe::Arg(&pause), 0);
  }
  return false;
}

}  // namespace pyrometer::agent
