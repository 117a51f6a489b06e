// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/announced_table.h"
#include "agent/interpreter.h"
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
// Ownership: filled by Start() before main and by the fork handler in a child;
// both times there is one thread only. Where the program loads its Python later, filled by the
// thread that starts it, before `active`. Afterwards constant but for its atomics.
struct Agent {
  std::atomic<bool> active;  // samples are wanted and possible
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
  AnnouncedTable<kCodeSlots> codes;
  AnnouncedTable<kModuleSlots> modules;
  std::atomic<bool> switches_stacks[kModuleSlots];  // by module slot: see stack_switcher.h
  std::atomic<uint8_t> profiled[kCodeSlots];        // by code slot: bits of profiled_code.cc
};

extern Agent g_agent;

// False in the child of a vfork, which works in its parent's memory.
// Signal-safety: safe.
inline bool IsOwnProcess(const Agent& agent) {
  return agent.process == static_cast<uint32_t>(sigsafe::Syscall(SYS_getpid));
}

// Opens this process's ring in the session directory. False: no room, or the
// launcher is gone; the program then runs unprofiled.
// Context: one thread (start-up, or the child of a fork).
bool OpenRing(Agent* agent);

}  // namespace pyrometer::agent
