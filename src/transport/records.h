// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpython/greenlet_thread.h"

// What the agent tells the collector, record by record, through the ring of
// transport/ring.h. Both sides are built together, so this layout is private
// to one build and has no version of its own beyond kRingVersion.
//
// Times are CLOCK_MONOTONIC nanoseconds.
namespace pyrometer::transport {

enum class RecordType : uint32_t {
  kNone = 0,  // not committed yet
  kPadding,   // skip to the start of the ring
  kThreadStart,
  kThreadEnd,
  kCode,
  kModule,
  kSample,
  kRegion,
  kProfiledCode,
  kMemorySample,
  kMemoryFree,
  kGreenlets,
  kMemoryAgain,
};
inline constexpr uint32_t kRecordTypes = static_cast<uint32_t>(RecordType::kMemoryAgain) + 1;

// Every record starts with this word, written last: a reader that sees a type
// sees the whole record.
struct RecordHeader {
  uint32_t bytes;  // of the whole record, a multiple of kRecordAlign
  RecordType type;
};
static_assert(sizeof(RecordHeader) == 8);
inline constexpr uint32_t kRecordAlign = 8;

struct ThreadStart {
  RecordHeader header;
  uint32_t tid;
  uint32_t is_main;
  // pthread_self(), which CPython knows the thread by. 0: the thread is older than the
  // recording, and only another could tell that it is there. It tells the same again itself.
  uint64_t pthread;
  uint64_t time_ns;
  // What the thread's clocks show already. Those of a main thread survive exec: they go on
  // from what the program before has used.
  uint64_t cpu_ns;
  uint64_t queued_ns;  // runnable, without a CPU
};

struct ThreadEnd {
  RecordHeader header;
  uint32_t tid;
  uint32_t reserved;
  uint64_t time_ns;
  uint64_t cpu_ns;
  char name[16];
};

// A code object seen for the first time. Text follows: file name, qualified
// name, line table, each as raw bytes of the interpreter's own representation.
struct CodeRecord {
  RecordHeader header;
  uint32_t slot;
  int32_t first_line;
  uint64_t code;
  uint64_t identity;
  uint32_t filename_bytes;
  uint32_t qualname_bytes;
  uint32_t line_table_bytes;
  uint8_t filename_kind;  // bytes per code point: 1, 2, 4
  uint8_t qualname_kind;
  uint8_t reserved[2];
};

// A region: work that the program has named; its name, UTF-8, follows.
struct RegionRecord {
  RecordHeader header;
  uint32_t tid;
  uint32_t name_bytes;
  uint64_t begin_ns;
  uint64_t end_ns;
  uint64_t cpu_ns;  // of the thread meanwhile
};

// Code that the program has marked with @profile, or that is inside of such.
struct ProfiledCodeRecord {
  RecordHeader header;
  uint32_t slot;  // of a CodeRecord before it
  uint32_t is_inner;
};

// A loaded module in which a program counter was seen for the first time.
// The path follows.
struct ModuleRecord {
  RecordHeader header;
  uint32_t slot;
  uint32_t is_runtime;  // holds the interpreter
  uint64_t start;
  uint64_t end;
  uint64_t bias;  // run-time address minus address in the file
  uint32_t path_bytes;
  uint32_t is_agent;
};

// One frame of a sample.
struct StackFrame {
  enum Kind : uint32_t { kPython = 0, kNative = 1, kOmitted = 2 };
  uint64_t value;  // kPython: code slot << 32 | instruction; kNative: pc; kOmitted: how many
  uint32_t kind;
  uint32_t module;  // kNative: module slot, or kNoModule
  bool operator==(const StackFrame&) const = default;
};
static_assert(sizeof(StackFrame) == 16);
inline constexpr uint32_t kNoModule = 0xffffffff;
inline constexpr uint32_t kNoCode = 0xffffffff;  // a code slot that could not be had

enum SampleFlags : uint32_t {
  kInKernel = 1u << 0,     // the tick fell into a system call
  kFromPerf = 1u << 1,     // by the perf event; else by the CPU timer
  kBaseline = 1u << 2,     // recording was paused before: weight is not known
  kUnanchored = 1u << 3,   // Python and native stacks could not be merged
  kFullStack = 1u << 4,    // `shared` is 0 because the previous sample was lost
  kEndsOutside = 1u << 5,  // native frames end in code of no module, not at the root
};

// `frames` follow, leaf first: the part of the stack that differs from this
// thread's previous sample; its `shared` root-most frames are as before.
struct SampleRecord {
  RecordHeader header;
  uint32_t tid;
  uint32_t flags;
  uint64_t time_ns;
  uint64_t cpu_ns;  // the thread's CPU clock
  uint32_t shared;
  uint32_t frames;
  uint32_t interval_ns;     // CPU time since this thread's previous tick of the CPU timer
  uint32_t coroutine_code;  // code slot of the root-most coroutine, kNoCode if there is none
  uint64_t coroutine;       // its address
  uint8_t opcode;           // of the innermost Python frame
  uint8_t reserved[7];
};

// What a MemorySample is about. Values as in format::MemoryKind.
enum class MemoryKind : uint32_t {
  kPython = 0,  // a request to CPython's object or memory allocator
  kNative = 1,  // a request to malloc and its kin, from anything else
  kMapped = 2,  // anonymous memory from mmap
  kCopied = 3,  // bytes that memcpy and its kin have moved
  // The collector's kMapped as well: address space that is only held back for later. What is
  // used of it was never asked for in any other way.
  kReserved = 4,
};

// A request for memory that was sampled, or a copy. `frames` follow, as behind a
// SampleRecord: stacks of both kinds of records of a thread share one chain.
struct MemorySample {
  RecordHeader header;
  uint32_t tid;
  uint32_t flags;  // SampleFlags
  uint64_t time_ns;
  uint32_t shared;
  uint32_t frames;
  uint64_t address;  // of the block; kCopied: 0
  uint64_t bytes;    // as requested
  uint64_t weight;   // bytes that it stands for, unless all such requests are recorded
  uint32_t marks;    // that lie in it, each of a piece of weight / marks bytes; 0: all are recorded
  MemoryKind kind;
  uint32_t reserved;
  // By which number later requests of this thread may name this stack; 0: none. It then names no
  // earlier one any more.
  uint32_t seen;
};
inline constexpr uint32_t kMaxSeenStacks = 8;

// From which size on a request is worth a look at its pages: below, an allocator may have used them
// before. What the kernel gives is always fresh.
inline constexpr uint64_t LeastWithPages(MemoryKind kind) {
  return kind == MemoryKind::kMapped || kind == MemoryKind::kReserved ? 64 << 10 : 1 << 20;
}

// A request with a stack that the thread has had before.
struct MemoryAgain {
  RecordHeader header;
  uint32_t tid;
  uint32_t seen;  // of the MemorySample with that stack
  uint64_t time_ns;
  uint64_t address;
  uint64_t bytes;
  uint64_t weight;
  uint32_t marks;
  MemoryKind kind;
};

enum FreeFlags : uint32_t {
  kAtExit = 1u << 0,     // by the interpreter that shuts down, after the program's last line
  kDiscarded = 1u << 1,  // its pages were, but the range may be used again
  kTaken = 1u << 2,      // nothing is: the block at `address` has taken `bytes` of its pages
};

// What a MemorySample was about is freed. kMapped: any range, of which
// parts may never have been sampled.
struct MemoryFree {
  RecordHeader header;
  uint32_t tid;  // who gives it back
  uint32_t flags;
  uint64_t time_ns;
  uint64_t address;
  uint64_t bytes;  // kMapped: of the range
  MemoryKind kind;
  uint32_t reserved;
};

// A thread has greenlets, and they were found.
struct GreenletRecord {
  RecordHeader header;
  uint32_t tid;
  uint32_t reserved;
  cpython::GreenletThread greenlets;
};

}  // namespace pyrometer::transport
