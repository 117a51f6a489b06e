// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/core/announced_table.h"
#include "agent/core/interpreter.h"
#include "base/record_options.h"
#include "sigsafe/syscall.h"
#include "transport/ring_writer.h"

namespace pyrometer::agent {

inline constexpr size_t kCodeSlots = size_t{1} << 16;
inline constexpr size_t kModuleSlots = 1024;

// The state of the agent in this process. One instance, zero-initialised,
// trivially destructible, so that it can be used before the first constructor
// and after the last destructor.
//
// Ownership: filled by Start(), before `active`, and by the fork handler in a child, where there
// is one thread only. While `active`, constant but for its atomics. Stop() takes it back to where
// Start() can fill it again, when nobody is inside (in_recording.h) any more.
struct Agent {
  // Threads that work in the recording, in places of their own so that they do not meet.
  static constexpr size_t kDoors = 16;
  struct alignas(64) Door {
    std::atomic<uint32_t> inside;
  };

  std::atomic<bool> active;  // samples are wanted and possible
  Door doors[kDoors];
  uint32_t recording;  // the number of this one in the process; it changes with the ring
  base::RecordOptions options;
  uint32_t process;  // pid; that of the parent in the child of a vfork
  Interpreter interpreter;
  transport::RingWriter ring;
  int signal_number;
  uint64_t tick_ns;      // of the kernel
  uint64_t agent_start;  // where this library is mapped
  char executable[base::RecordOptions::kMaxPath];
  char library[base::RecordOptions::kMaxPath];  // path of this library
  char* record_variable;          // "PYROMETER_RECORD=...", in the process's first environment
  std::atomic<uint32_t> unloads;  // libraries that were unloaded; unwind rows of before are stale
  // The program has a handler from which it may not return to what it interrupted.
  std::atomic<bool> handlers_may_leave;
  AnnouncedTable<kCodeSlots> codes;
  AnnouncedTable<kModuleSlots> modules;
  std::atomic<bool> switches_stacks[kModuleSlots];  // by module slot: see stack_switcher.h
  std::atomic<uint8_t> profiled[kCodeSlots];        // by code slot: bits of profiled_code.cc
  std::atomic<transport::RecordingState> told;      // to the engines; see recording_state.h
  std::atomic<bool> telling;
};

extern Agent g_agent;

// False in the child of a vfork, which works in its parent's memory.
// Signal-safety: safe.
inline bool IsOwnProcess(const Agent& agent) {
  return agent.process == static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
}

// Opens this process's ring in the session directory, and forgets what a ring before it was told.
// False: no room, or the launcher is gone; the program then runs unprofiled.
// Context: nobody is inside (start-up, or the child of a fork).
bool OpenRing(Agent* agent);
// Gives the ring's memory back, if there is one. The file is the collector's to remove.
// Context: the same.
void DropRing(Agent* agent);

}  // namespace pyrometer::agent
