// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cpython/layout.h"

namespace pyrometer::transport {

inline constexpr uint64_t kRingMagic = 0x31676e6972727970;  // "pyrring1"
inline constexpr uint32_t kRingVersion = 1;
inline constexpr size_t kHeaderBytes = 16384;

enum class ProcessState : uint32_t {
  kStarting = 0,
  kActive = 1,
  kUnsupported = 2,  // `message` says why
  kReplaced = 3,     // by another program, through exec
};

enum class RecordingState : uint32_t {
  kOn = 0,
  kPaused = 1,
  kStopped = 2,  // for good
};

// In RingHeader::exit_note: the process has told its exit code, in the low byte.
inline constexpr uint32_t kExitNoted = 0x100;

// What is lost and what it costs, counted where it happens. Relaxed atomics:
// each is a sum, none orders anything.
struct AgentCounters {
  std::atomic<uint64_t> signals;           // our signals handled
  std::atomic<uint64_t> samples;           // records written
  std::atomic<uint64_t> handler_ns;        // CPU time inside the handler
  std::atomic<uint64_t> ring_full;         // records dropped: ring full
  std::atomic<uint64_t> torn_stacks;       // Python stacks that failed validation
  std::atomic<uint64_t> truncated_stacks;  // deeper than the limit
  std::atomic<uint64_t> unmerged_stacks;   // native and Python parts did not fit
  std::atomic<uint64_t> native_cut;        // native unwinding stopped early
  std::atomic<uint64_t> greenlet_cut;      // a greenlet's parent could not be told
  std::atomic<uint64_t> code_table_full;
  std::atomic<uint64_t> foreign_signals;  // our number, somebody else's signal
  std::atomic<uint64_t> threads_refused;  // no timer or no memory for a thread
  std::atomic<uint64_t> memory_samples;   // records written, frees not counted
  std::atomic<uint64_t> memory_ns;        // time spent on them and on frees of sampled blocks
  std::atomic<uint64_t> blocks_refused;   // sampled blocks that the table had no room for
  std::atomic<uint64_t> frees_lost;       // of sampled blocks: the ring was full
};

// How much memory the interpreter holds, to compare with what is in use.
struct MemoryLevels {
  std::atomic<uint64_t> arena_bytes;  // pymalloc's arenas
  // What the kernel says: resident when the program's last line had run, and most at any time,
  // when the process ends. 0: not known yet.
  std::atomic<uint64_t> resident_bytes;
  std::atomic<uint64_t> peak_resident_bytes;
  // Who serves malloc(), as a path; empty: the C library.
  char allocator[128];
};

// First part of the shared file of one process. The agent fills it before it
// sets `magic`; afterwards only atomics change.
struct RingHeader {
  std::atomic<uint64_t> magic;
  uint32_t version;
  uint32_t pid;
  uint32_t parent_pid;
  uint32_t signal_number;
  uint64_t ring_bytes;
  uint64_t start_ns;
  uint64_t first_sample_ns;  // CPU time that the first sample of a thread stands for
  uint64_t runtime;          // address of _PyRuntime
  std::atomic<ProcessState> state;
  std::atomic<uint32_t> exit_note;  // 0: none
  cpython::Layout layout;
  char message[256];

  // Set by the collector, and by the program itself (agent/python/api.cc).
  std::atomic<RecordingState> recording;

  // Producer and consumer positions: bytes since the start, never wrapping.
  alignas(64) std::atomic<uint64_t> head;
  alignas(64) std::atomic<uint64_t> tail;
  alignas(64) AgentCounters counters;
  MemoryLevels memory;
};
static_assert(sizeof(RingHeader) <= kHeaderBytes);

}  // namespace pyrometer::transport
