// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/records.h"
#include "metric/counter.h"
#include "metric/table.h"
#include "profile/narrow_column.h"
#include "profile/weight_column.h"

namespace pyrometer::profile {

// How much of a damaged or unfinished file could be read.
struct LoadReport {
  uint64_t bytes_read = 0;
  uint64_t bytes_lost = 0;       // damaged or cut off
  uint64_t blocks_skipped = 0;   // of types that this version does not know
  uint64_t records_invalid = 0;  // well-formed block, dangling or absurd content
  bool orderly_end = false;      // the recorder finished its work
  bool still_running = false;    // no end, because it is a snapshot of a recording that went on
};

struct Process {
  format::ProcessInfo info;
  std::optional<format::ProcessEnd> end;
};

struct Thread {
  format::ThreadInfo info;
  std::optional<format::ThreadEnd> end;
};

struct Task {
  format::TaskInfo info;
  std::optional<format::TaskEnd> end;
  format::StackId origin{};  // where it was made; empty: not known

  const format::TaskName& name() const {
    return end && !(end->name == format::TaskName()) ? end->name : info.name;
  }
};

// Samples by column, in file order (per thread in time order): 20 bytes for one of few threads,
// in no task.
struct SampleColumns {
  std::vector<uint64_t> time_ns;
  NarrowColumn<format::ThreadId> thread;
  std::vector<format::StackId> stack;
  std::vector<format::Activity> activity;
  WeightColumn weight_ns;
  NarrowColumn<uint32_t> count;
  NarrowColumn<base::OptionalId<format::TaskId>> task;

  size_t size() const { return time_ns.size(); }
};

// So much of a declared metric was seen at a stack.
struct Amount {
  metric::Metric metric{};
  format::ThreadId thread{};
  format::StackId stack{};
  std::optional<uint64_t> time_ns{};  // none: of the whole run, nobody knows when
  uint64_t value = 0;
  uint64_t count = 0;  // observations that it is the sum of; 0: not known
};

// What the recording says about itself, or about one of its processes.
struct Counter {
  format::ProcessId process{};
  metric::CounterKey key{};
  uint64_t value = 0;

  bool Is(metric::Counter counter) const { return key.counter == counter; }
};

// A whole capture in memory. Tables are indexed by the ids that the records in
// this profile hold; strings[0] is "" and stacks[0] is the empty stack. These
// ids are those of the file unless definitions were lost to damage.
//
// Invariants, which the loader guarantees for any input whatsoever:
//  1. every id that a record holds is inside its table (of a frame, the ids
//     that its kind uses; of stacks[0], none);
//  2. stacks[i].parent < i for i > 0, so walking parents always ends;
//  3. samples' columns have equal length, counts are not 0, times and weights
//     are below 2^61;
//  4. symbols, sources and counters have one entry for each frame, path, or
//     process with key: the last of the file.
//     Times and counts of awaits and loop_blocks obey 3 as well.
//     The amounts of memory and of declared metrics are below 2^61. Parts of a peak and of
//     survivors are of threads of their process, and nothing in them is kCopied.
//  5. gil_waits are the sums of those of the file; waiter and holder are threads
//     of one process.
struct Profile {
  format::RunInfo run;
  std::optional<format::RunEnd> run_end;
  std::vector<std::string> strings;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<format::CodeInfo> codes;
  std::vector<format::ModuleInfo> modules;
  std::vector<format::FrameInfo> frames;
  std::vector<format::StackInfo> stacks;
  SampleColumns samples;
  std::vector<format::SymbolInfo> symbols;  // sorted by frame, one per frame
  std::vector<format::SourceInfo> sources;
  std::vector<Counter> counters;
  std::vector<format::GilWait> gil_waits;  // one for each two threads
  std::vector<format::RegionInfo> regions;
  std::vector<format::ProfiledFunction> profiled_functions;  // one for each code
  std::vector<Task> tasks;
  std::vector<format::Await> awaits;
  std::vector<format::LoopBlock> loop_blocks;
  std::vector<format::MemoryChange> memory_changes;       // in file order
  std::vector<format::MemoryPeak> memory_peaks;           // one for each process at most
  std::vector<format::MemorySurvivors> memory_survivors;  // one for each process at most
  std::vector<format::MemoryLevel> memory_levels;         // in file order
  metric::Table metrics;                                  // with those that the file declares
  std::vector<Amount> amounts;                            // of these, in file order
  LoadReport load;

  const std::string& Text(format::StringId id) const { return strings[id.value]; }
};

}  // namespace pyrometer::profile
