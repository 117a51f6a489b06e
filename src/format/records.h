// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"

// The records of a capture file, as both the writer and the reader see them.
// docs/format/ says how each is laid out in bytes. All times are nanoseconds
// since the start of the run unless a name says otherwise. Every member has an
// initializer, so that designated initializers may leave any of them out.
namespace pyrometer::format {

using StringId = base::Id<struct StringTag>;
using ProcessId = base::Id<struct ProcessTag>;  // index in the file, not a pid
using ThreadId = base::Id<struct ThreadTag>;    // index in the file, not a tid
using CodeId = base::Id<struct CodeTag>;
using ModuleId = base::Id<struct ModuleTag>;
using FrameId = base::Id<struct FrameTag>;
using StackId = base::Id<struct StackTag>;
using TaskId = base::Id<struct TaskTag>;
using MetricId = base::Id<struct MetricTag>;

// Id 0 of the stack table is the empty stack: the parent of every root frame.
inline constexpr StackId kEmptyStack{0};
// Id 0 of the string table is "".
inline constexpr StringId kEmptyString{0};

// What a thread was doing. The first three are on-CPU, the rest off-CPU.
enum class Activity : uint8_t {
  kPython = 0,     // the interpreter executing bytecode and its object operations
  kNative = 1,     // a C function that bytecode called, or code of another module
  kKernel = 2,     // system CPU time
  kIoWait = 3,     // blocked in read, recv, poll, ...
  kLockWait = 4,   // blocked on a futex that is not the GIL
  kGilWait = 5,    // blocked on the GIL
  kSleep = 6,      // nanosleep and friends
  kChildWait = 7,  // wait4, waitid
  kRunWait = 8,    // runnable, waiting for a CPU
  kOtherWait = 9,  // off-CPU for a reason that could not be read
};
inline constexpr size_t kActivityCount = 10;
inline constexpr size_t kOnCpuCount = 3;
constexpr bool IsOnCpu(Activity a) { return a <= Activity::kKernel; }

// Facts about the run: written once, first.
struct RunInfo {
  std::string pyrometer_version{};
  std::vector<std::string> command{};  // as given to `pyrometer run`
  std::string working_directory{};
  std::string operating_system{};  // uname -sr and machine
  uint64_t start_unix_ns = 0;      // wall-clock time of time 0
  std::string options{};           // RecordOptions in its text grammar
};

struct ProcessInfo {
  uint64_t pid = 0;
  uint64_t parent_pid = 0;
  uint64_t start_ns = 0;
  std::vector<std::string> argv{};
  std::string executable{};
  std::string interpreter{};  // "CPython 3.12.1", or empty
  std::string clock{};        // "cpu-timer", "perf", and why not the other
  uint64_t sample_period_ns = 0;
};

struct ProcessEnd {
  ProcessId process{};
  uint64_t end_ns = 0;
  int32_t exit_code = -1;  // -1: not known, or ended by a signal
  int32_t exit_signal = 0;
  uint64_t user_cpu_ns = 0;  // by the kernel's account
  uint64_t system_cpu_ns = 0;
  uint64_t peak_rss_bytes = 0;
};

struct ThreadInfo {
  ProcessId process{};
  uint64_t tid = 0;
  uint64_t start_ns = 0;
  std::string name{};
};

// Total of a thread by its own clocks, against which samples can be checked.
struct ThreadEnd {
  ThreadId thread{};
  uint64_t end_ns = 0;
  uint64_t cpu_ns = 0;
  std::string name{};  // the last name seen; empty: as in ThreadInfo
};

// A Python code object. Two code objects with equal fields are one.
struct CodeInfo {
  StringId filename{};
  StringId qualname{};
  uint32_t first_line = 0;
};

// A shared library or executable.
struct ModuleInfo {
  StringId path{};
  std::string build_id{};  // raw bytes, may be empty
};

enum class FrameKind : uint8_t {
  kPython = 0,   // code, line
  kNative = 1,   // module, address
  kSpecial = 2,  // name: "<truncated>", "<no Python>", ...
};

struct FrameInfo {
  FrameKind kind = FrameKind::kPython;
  CodeId code{};
  uint32_t line = 0;  // 0: the instruction has no line
  ModuleId module{};
  uint64_t address = 0;  // as in the module's own file (no load bias)
  StringId name{};
};

struct StackInfo {
  StackId parent{};  // the caller; kEmptyStack for a root
  FrameId frame{};
};

// One observation of one thread. `weight_ns` is the time it stands for;
// `count` the number of observations merged into it (usually 1).
struct Sample {
  uint64_t time_ns = 0;
  ThreadId thread{};
  StackId stack{};
  Activity activity = Activity::kPython;
  uint64_t weight_ns = 0;
  uint32_t count = 1;
  std::optional<TaskId> task{};  // whose coroutine the thread ran

  friend bool operator==(const Sample&, const Sample&) = default;
};

// The name of a native frame, found after the run. One entry per inlined
// function, innermost first; the last is the function that has the address.
struct SymbolLine {
  StringId function{};
  StringId file{};    // empty: not known
  uint32_t line = 0;  // 0: not known
};
struct SymbolInfo {
  FrameId frame{};
  std::vector<SymbolLine> lines{};
};

// The text of a source file as it was at the end of the run.
struct SourceInfo {
  StringId path{};
  std::string text{};
};

// A named count that belongs to a process. Losses are what was not recorded; costs are what
// pyrometer itself used. Later entries replace earlier ones. What the names are:
// metric/counter.h.
enum class CounterKind : uint8_t { kLoss = 0, kCost = 1, kFact = 2 };
struct CounterInfo {
  ProcessId process{};
  CounterKind kind = CounterKind::kLoss;
  std::string name{};
  uint64_t value = 0;
};

// Time that one thread waited for the GIL while another one held it. Several of
// the same two threads add up.
struct GilWait {
  ThreadId waiter{};
  std::optional<ThreadId> holder{};  // empty: nobody held it just then, or not known
  uint64_t wait_ns = 0;
  uint32_t count = 1;  // observations
};

// A region: work that the program has named, on one thread.
struct RegionInfo {
  ThreadId thread{};
  StringId name{};
  uint64_t begin_ns = 0;
  uint64_t length_ns = 0;
  uint64_t cpu_ns = 0;  // of the thread meanwhile
};

// Code that the program has marked with @profile.
struct ProfiledFunction {
  CodeId code{};
  bool inner = false;  // not marked itself, but inside a function that is
};

// What a task is called: `text`, or where that is empty "Task-" and `number`;
// not known where that is 0.
struct TaskName {
  StringId text{};
  uint64_t number = 0;

  friend bool operator==(const TaskName&, const TaskName&) = default;
};

// An asyncio task that was seen.
struct TaskInfo {
  ProcessId process{};
  CodeId coroutine{};     // what it runs
  uint64_t start_ns = 0;  // when it was first seen
  TaskName name{};
};
struct TaskEnd {
  TaskId task{};
  uint64_t end_ns = 0;  // when it was last seen
  TaskName name{};      // the last one seen; not known: as in TaskInfo
};

// Where a task was made, as far as the program itself remembers it.
struct TaskOrigin {
  TaskId task{};
  StackId stack{};
};

enum class AwaitState : uint8_t {
  kSuspended = 0,  // what it awaits is not there yet
  kReady = 1,      // it could go on, but its event loop has not got to it
};

// Time that a task did not run. The stack is that of its coroutine: root first
// what the task runs, innermost what awaits.
struct Await {
  TaskId task{};
  StackId stack{};
  AwaitState state = AwaitState::kSuspended;
  uint64_t time_ns = 0;  // up to when
  uint64_t wait_ns = 0;
  uint32_t count = 1;  // observations; 0: the rest of the one before
};

// A callback that kept its event loop from running others.
struct LoopBlock {
  ThreadId thread{};
  StackId stack{};  // where its thread was found most often meanwhile
  uint64_t begin_ns = 0;
  uint64_t length_ns = 0;
  uint32_t count = 1;  // observations
};

// Where memory came from, or that it was copied.
enum class MemoryKind : uint8_t {
  kPython = 0,  // CPython's object and memory allocators
  kNative = 1,  // malloc and its kin, called by anything else
  kMapped = 2,  // anonymous memory from mmap
  kCopied = 3,  // bytes that memcpy and its kin have moved; never live
};
inline constexpr size_t kMemoryKindCount = 4;

// An amount of memory, estimated from samples: each stands for the bytes and the
// blocks that were as likely to be sampled. Of amounts that are known exactly the
// variance is 0.
struct MemoryAmount {
  uint64_t bytes = 0;
  uint64_t blocks = 0;
  uint64_t samples = 0;        // that were seen
  uint64_t variance_kib2 = 0;  // of `bytes`, in KiB squared

  MemoryAmount& operator+=(const MemoryAmount& other) {
    bytes += other.bytes;
    blocks += other.blocks;
    samples += other.samples;
    variance_kib2 += other.variance_kib2;
    return *this;
  }
  // REQUIRES: `other` is a part of this
  MemoryAmount& operator-=(const MemoryAmount& other) {
    bytes -= other.bytes;
    blocks -= other.blocks;
    samples -= other.samples;
    variance_kib2 -= other.variance_kib2;
    return *this;
  }
  friend bool operator==(const MemoryAmount&, const MemoryAmount&) = default;
};

// What one place of one thread has allocated in a window of time, and what was
// freed of everything that it had ever allocated, by whichever thread.
// Windows of a process follow each other without gaps; a place without changes
// has no row.
struct MemoryChange {
  uint64_t time_ns = 0;  // end of the window
  ThreadId thread{};
  StackId stack{};
  MemoryKind kind = MemoryKind::kPython;
  MemoryAmount allocated{};  // kCopied: copied
  MemoryAmount freed{};
  // Most bytes that this place had live at once, up to the end of the window. A
  // place that had nothing for a while may begin anew.
  uint64_t high_bytes = 0;

  friend bool operator==(const MemoryChange&, const MemoryChange&) = default;
};

// What was live at one place.
struct LiveMemory {
  ThreadId thread{};
  StackId stack{};
  MemoryKind kind = MemoryKind::kPython;
  StringId type{};  // of the objects; empty: not known, or no objects
  MemoryAmount amount{};

  friend bool operator==(const LiveMemory&, const LiveMemory&) = default;
};

// All that was live when the process had most in use. A later one of the same
// process replaces the one before. `type` is not used.
struct MemoryPeak {
  ProcessId process{};
  uint64_t time_ns = 0;
  std::vector<LiveMemory> parts{};
};

// All that was live when the program's last line had run, or at the end of the
// recording, by type as far as known. Replaces, as MemoryPeak does.
struct MemorySurvivors {
  ProcessId process{};
  uint64_t time_ns = 0;
  std::vector<LiveMemory> parts{};
};

// The memory of a process at one time, by those who know.
struct MemoryLevel {
  ProcessId process{};
  uint64_t time_ns = 0;
  uint64_t rss_bytes = 0;     // resident, by the kernel
  uint64_t pss_bytes = 0;     // the same with shared pages divided; 0: not asked this time
  uint64_t python_bytes = 0;  // live, estimated: kPython
  uint64_t native_bytes = 0;  // kNative
  uint64_t mapped_bytes = 0;  // kMapped
  uint64_t arena_bytes = 0;   // pymalloc's arenas, exact
  uint64_t small_bytes = 0;   // the part of python_bytes that lies in arenas
};

// Something that was counted and has no record of its own: a metric of another tool's profile, or
// of a way of recording that this version does not know.
struct MetricInfo {
  StringId name{};   // unique in the file
  StringId unit{};   // "nanoseconds", "bytes", "count", or anything else, which is then its name
  StringId title{};  // for people; empty: the name
};

// So much of a metric was seen at a stack.
struct MetricAmount {
  MetricId metric{};
  ThreadId thread{};
  StackId stack{};
  std::optional<uint64_t> time_ns{};  // none: of the whole run, nobody knows when
  uint64_t value = 0;
  uint64_t count = 0;  // observations that it is the sum of; 0: not known
};

// The run ended in an orderly way: absent from a capture that was cut off.
struct RunEnd {
  uint64_t end_ns = 0;
};

}  // namespace pyrometer::format
