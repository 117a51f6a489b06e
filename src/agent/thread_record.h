// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "agent/clock.h"
#include "agent/code_memo.h"
#include "agent/own_system_time.h"
#include "agent/seen_stacks.h"
#include "agent/thread_time.h"
#include "agent/tick_pace.h"
#include "cpython/frame_walk.h"
#include "cpython/greenlet_thread.h"
#include "sigsafe/local_reader.h"
#include "transport/records.h"
#include "unwind/row_cache.h"
#include "unwind/stack_walker.h"

namespace pyrometer::agent {

inline constexpr size_t kMaxPythonFrames = 2048;  // incl. the 64 root-most of a deeper stack
inline constexpr size_t kMaxParentFrames = 1024;  // of parent greenlets
inline constexpr size_t kMaxNativeFrames = 512;
inline constexpr size_t kMaxStackFrames =
    kMaxPythonFrames + kMaxParentFrames + kMaxNativeFrames + 1;

// A merged stack, leaf first.
struct Stack {
  uint32_t count;
  transport::StackFrame frames[kMaxStackFrames];
};

// All that the handler needs to know of one thread, with the room to work in:
// a handler may run on a small alternate stack. Lives in zeroed pages of its
// own, touched only as far as it is used.
//
// Ownership: made and returned by the thread itself, or made for it where it is older than
// the recording (thread_registry.h).
// Thread-safety: only its own thread, in the handler or with signals blocked.
struct ThreadRecord {
  ThreadRecord* next_free;
  ThreadRecord* next_older;
  bool is_listed;      // among the older ones, for good
  uint32_t tid;        // 0: returned
  int32_t timer;       // kernel timer id, -1: none
  uint64_t stack_end;  // the stack is mapped up to here
  uint64_t start_ns;   // when its recording began
  TickPace pace;
  ThreadTime time;
  uint64_t tick_cpu_ns;  // thread CPU clock at the previous sample of the timer
  ModeTimes tick_times;  // what the kernel accounted for until the previous tick
  OwnSystemTime own_system;
  uint32_t torn_run;           // rejected stacks in a row
  bool program_blocks_signal;  // the program believes that it masked our signal
  bool uses_perf;
  bool baseline;       // the next sample follows a pause
  bool previous_lost;  // the next sample must carry its whole stack

  sigsafe::PageCache pages;         // of this sample
  sigsafe::PageCache module_pages;  // since the last dlclose
  unwind::RowCache rows;
  CodeMemo codes;
  cpython::GreenletThread greenlets;
  uint32_t greenlet_misses;  // stacks on which they were looked for in vain
  cpython::PythonFrame python[kMaxPythonFrames + kMaxParentFrames];
  unwind::NativeFrame native[kMaxNativeFrames];
  uint32_t native_modules[kMaxNativeFrames];  // slots
  uint32_t slots[kMaxPythonFrames + kMaxParentFrames];
  uint32_t current;  // index of the newest of the two stacks
  Stack stacks[2];
  SeenStacks seen;  // by requests for memory
};

}  // namespace pyrometer::agent
