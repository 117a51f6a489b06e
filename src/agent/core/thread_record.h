// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/core/code_memo.h"
#include "agent/core/thread_time.h"
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
// the recording (thread_registry.h). A thread keeps it when a recording ends, for the next one.
// Thread-safety: only its own thread, in the handler or with signals blocked; while nobody is
// inside a recording, whoever begins or ends it.
struct ThreadRecord {
  ThreadRecord* next_free;
  ThreadRecord* next_older;
  ThreadRecord* next;          // of all records of the process
  std::atomic<uint32_t> tid;   // 0: returned
  uint32_t recording;          // whose code slots it remembers
  bool is_listed;              // among the older ones, for good
  bool is_owned;               // its thread has it; else it is only meant for that thread
  std::atomic<bool> is_told;   // the engines know of it
  bool program_blocks_signal;  // the program believes that it masked our signal
  bool previous_lost;          // the next sample must carry its whole stack
  bool has_ticks;              // an engine keeps `time` at ticks of the thread's CPU clock
  uint64_t stack_end;          // the stack is mapped up to here
  uint64_t start_ns;           // when its recording began
  uint64_t start_cpu_ns;       // and what the thread's CPU clock said
  ThreadTime time;

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
  // The parts of the engines follow (engine.h).
};

}  // namespace pyrometer::agent
