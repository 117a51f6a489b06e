// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/report/breakdown.h"
#include "analyze/report/call_tree.h"
#include "analyze/report/memory_stats.h"
#include "analyze/report/opened_packages.h"
#include "format/records.h"
#include "metric/counter.h"
#include "metric/table.h"
#include "profile/profile.h"

// What a report says, as plain values: BuildReport makes it, tui and export
// show it. It owns all its text, so the Profile may go away.
//
// Every line and function has three breakdowns:
//   self    samples whose innermost Python frame it is; native functions that
//           it called are in there as its native, kernel and wait time
//   scoped  samples whose innermost *in-scope* Python frame it is, so library
//           code is charged to the user's line that called it
//   total   samples that have it anywhere in the stack, each counted once
// Memory has the same three parts, by the stack that allocated or copied.
namespace pyrometer::analyze {

struct LineStats {
  uint32_t line = 0;     // 0: the instruction has no line
  std::string function;  // qualified name; the one with most time on this line
  Breakdown self, scoped, total;
  MemoryRow memory{};
};

struct FunctionStats {
  std::string name;  // qualified
  uint32_t first_line = 0;
  Breakdown self, scoped, total;
  MemoryRow memory{};
};

struct FileStats {
  std::string path;  // as in the code object
  bool in_scope = false;
  std::optional<size_t> source;  // index in Report::sources
  Breakdown self, scoped, total;
  MemoryRow memory{};
  std::vector<LineStats> lines;          // by line number; see Report::lines_restricted
  std::vector<FunctionStats> functions;  // hottest first
};

// A function that is not Python. `self` is the innermost frame of all.
struct NativeFunctionStats {
  std::string name;    // empty: no symbol; then one entry stands for all such of the module
  std::string module;  // path; empty for special frames
  Breakdown self, total;
};

// What importing took, by the module that the program asked for.
struct ImportStats {
  std::string path;  // empty: looking for modules
  Breakdown time;
};

// One frame of a stack, as text.
struct Place {
  std::string path;
  std::string function;
  uint32_t line = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct ThreadStats {
  uint64_t pid = 0;
  uint64_t tid = 0;
  std::string name;
  bool main = false;  // the main thread of its process
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  Breakdown time;
  std::optional<uint64_t> clock_cpu_ns;  // by the thread's own CPU clock
  Place works_for;                       // where most of its time.worker_ns() went; empty: nowhere
  MemoryStats memory;                    // what it allocated, whoever gave it back
};

// Time that `waiter` waited for the GIL while `holder` had it.
struct GilWaitStats {
  uint64_t pid = 0;
  uint64_t waiter_tid = 0;
  std::string waiter;                  // name
  std::optional<uint64_t> holder_tid;  // empty: nobody had it just then, or not known
  std::string holder;
  uint64_t wait_ns = 0;
  uint64_t samples = 0;
};

// The memory of a process, or of several, at one time, by those who know.
struct MemoryLevels {
  uint64_t time_ns = 0;
  uint64_t rss_bytes = 0;  // resident, by the kernel
  uint64_t pss_bytes = 0;  // the same with shared pages divided; 0: not known
  uint64_t python_bytes = 0;
  uint64_t native_bytes = 0;
  uint64_t mapped_bytes = 0;
  uint64_t arena_bytes = 0;  // pymalloc's arenas
  uint64_t small_bytes = 0;  // the part of python_bytes that lies in them

  uint64_t in_use() const { return python_bytes + native_bytes + mapped_bytes; }
  // Arenas that nothing lives in.
  uint64_t arena_slack() const { return arena_bytes > small_bytes ? arena_bytes - small_bytes : 0; }
  // Resident and nothing of the above: code, stacks, the allocator's own; below 0
  // when memory was asked for and never touched, or is swapped out.
  int64_t rest() const { return static_cast<int64_t>(rss_bytes - in_use() - arena_slack()); }
  uint64_t not_resident() const { return rest() < 0 ? in_use() + arena_slack() - rss_bytes : 0; }
};

// A line by its indices: View::files, FileStats::lines.
struct LineRef {
  size_t file = 0;
  size_t line = 0;
};

// Sums hold to the byte, as those of View.
struct ViewMemory {
  bool recorded = false;  // else all of it is empty
  MemoryStats total;
  MemoryStats without_python;  // no Python frame
  MemoryStats outside;         // no frame in scope
  uint64_t peak_ns = 0;        // when most was in use
  // Most that was ever resident, by the kernel: of one process exactly, of several at the same
  // time as far as levels tell. 0: not known.
  uint64_t peak_rss_bytes = 0;
  std::vector<MemoryLevels> levels;         // by time
  std::optional<MemoryLevels> peak_levels;  // next to the peak
  std::optional<MemoryLevels> end_levels;   // the last ones
  double growth_bytes_per_second = 0;       // of what is in use, after the first third
  std::vector<LineRef> lines;               // with memory in their `scoped`, most at the peak first
  std::vector<LineRef> copies;              // with copies in their `scoped`, most first
};

// One process, or all of them together. Sums hold to the nanosecond:
//   total == no_python + sum of files' self == outside + sum of files' scoped
//         == sum of threads' time
struct View {
  uint64_t elapsed_ns = 0;
  Breakdown total;
  Breakdown no_python;  // samples without any Python frame
  Breakdown outside;    // samples without any in-scope frame
  // The part of each on-CPU activity in which the garbage collector ran; in all, total.gc_ns().
  std::array<uint64_t, format::kOnCpuCount> gc_ns_of{};
  std::vector<FileStats> files;                       // hottest (scoped, then self) first
  std::vector<NativeFunctionStats> native_functions;  // hottest first
  std::vector<ImportStats> imports;                   // hottest first
  std::vector<ThreadStats> threads;                   // by process, in order of appearance
  ViewMemory memory;

  const LineStats& Line(const LineRef& ref) const { return files[ref.file].lines[ref.line]; }
  // Time of the whole view without garbage collection, which is a part of its own.
  uint64_t WithoutGc(format::Activity activity) const;
  // Percent of the view's CPU time.
  double CpuPercent(uint64_t ns) const;
  // Percent of the view's elapsed time. Above 100 when threads wait in parallel.
  double ElapsedPercent(uint64_t ns) const;
  // The base that fits the activity: CPU time, or elapsed time for waits.
  double Percent(format::Activity activity, uint64_t ns) const;
};

struct ProcessReport {
  uint64_t pid = 0;
  uint64_t parent_pid = 0;
  std::vector<std::string> argv;
  std::string executable;
  std::string interpreter;
  std::string clock;
  uint64_t sample_period_ns = 0;
  uint64_t start_ns = 0;
  std::optional<format::ProcessEnd> end;
  View view;
};

struct Counter {
  uint64_t pid = 0;
  metric::CounterKey key;
  uint64_t value = 0;
};

// A region: work that the program has named (pyrometer.region), all of that
// name together.
struct RegionStats {
  std::string name;
  uint64_t count = 0;
  uint64_t wall_ns = 0;
  uint64_t cpu_ns = 0;
  uint64_t longest_ns = 0;
  uint64_t samples = 0;  // on-CPU samples of its thread meanwhile
};

// A function that the program has marked with @profile.
struct ProfiledFunction {
  std::string path;
  std::string name;  // qualified
  uint32_t first_line = 0;

  auto operator<=>(const ProfiledFunction&) const = default;
};

// Time in which tasks did not run: what they await is not there yet, or it is and
// their event loop has not got to them.
struct AwaitTime {
  uint64_t suspended_ns = 0;
  uint64_t ready_ns = 0;
  uint64_t samples = 0;

  uint64_t ns() const { return suspended_ns + ready_ns; }
};

// Tasks that run the same coroutine function.
struct TaskStats {
  std::string path;
  std::string coroutine;  // qualified name
  uint32_t first_line = 0;
  uint64_t tasks = 0;  // that were seen
  std::string name;    // of the one with most time, if it has one
  Place made_at;  // the line that has made most of them, in scope if possible; empty: not known
  uint64_t cpu_ns = 0;
  uint64_t samples = 0;
  AwaitTime time;
};

// Awaits at one line, the innermost in scope of the coroutines that wait.
struct AwaitStats {
  Place place;
  std::string awaited;  // the innermost coroutine, if that is another one
  uint64_t tasks = 0;
  AwaitTime time;
  // Who waits for whom, outermost first, with most time first.
  struct Chain {
    std::vector<Place> frames;
    AwaitTime time;
  };
  std::vector<Chain> chains;
};

// Callbacks that held their event loop, each for long, at one place.
struct LoopBlockStats {
  Place place;  // innermost in scope, else innermost
  uint64_t count = 0;
  uint64_t total_ns = 0;
  uint64_t samples = 0;
  // The longest of them.
  uint64_t longest_ns = 0;
  uint64_t begin_ns = 0;
  uint64_t pid = 0;
  uint64_t tid = 0;
  std::string thread;
  std::vector<Place> stack;  // outermost first
};

// A line whose memory keeps growing.
struct LeakStats {
  Place place;               // innermost in scope, else innermost
  std::vector<Place> stack;  // of most of the growth, outermost first
  double probability = 0;    // that the growth is no accident
  double bytes_per_second = 0;
  double low_bytes_per_second = 0;  // 95 % interval
  double high_bytes_per_second = 0;
  size_t processes = 0;  // in which it grows; the rest is their sum
  MemorySum live;        // at the end
  MemorySum allocated;   // after the first third of the run
  MemorySum freed;       // meanwhile, also of what is older
  struct Type {
    std::string name;
    MemorySum live;
  };
  std::vector<Type> types;  // of what is live, as far as known, most first

  // Of what was allocated, the part that stays.
  double SurvivalPercent() const;
};

// From where a line is mostly called.
struct LineCallers {
  LineRef line;
  size_t chains = 0;          // different ones in all
  std::vector<Place> places;  // of that with most, outermost first
  uint64_t value = 0;         // that it has of the metric
};

// The processes of one rank of a parallel program.
struct RankStats {
  uint64_t rank = 0;
  size_t processes = 0;
  uint64_t start_ns = 0;  // of the first
  uint64_t end_ns = 0;    // of the last
  uint64_t cpu_ns = 0;
  uint64_t wait_ns = 0;

  uint64_t elapsed_ns() const { return end_ns - start_ns; }
};
struct RankTable {
  std::string variable;         // in which the launcher told them their number
  std::vector<RankStats> rows;  // slowest first
  uint64_t median_elapsed_ns = 0;
};

struct SourceFile {
  std::string path;
  std::vector<std::string> lines;  // [0] is line 1; without line ends

  // The text of line `number`, or nullptr.
  const std::string* Line(uint32_t number) const;
};

// One finding about the run: what it is bound by, and the hottest place of
// that kind.
struct Verdict {
  enum class Kind {
    kNoSamples,          // too short, or nothing recorded
    kCpu,                // `metric` is the largest part of it, without garbage collection
    kWait,               // `metric` is the largest wait of the main thread
    kGilContention,      // several threads want the interpreter at once
    kGarbageCollection,  // much of the CPU time
    kMemoryPeak,         // `bytes` in use out of `of_bytes` resident: only without time
    kMemoryGrowth,       // `bytes` a second, at the place; `probability`
    kCopies,             // `bytes` copied, at the place `place_bytes` of them
    kDeclared,           // `place_bytes` of `bytes` at the place: nothing else is there
  };
  Kind kind = Kind::kNoSamples;
  // What it is about; none where that is no single one.
  std::optional<metric::Metric> metric{};
  uint64_t ns = 0;     // time of this kind
  uint64_t of_ns = 0;  // out of: CPU time for kCpu and kGarbageCollection, else elapsed time
  uint64_t samples = 0;
  // kWait: CPU time of other threads and processes, if that is what the main thread mostly
  // waits for; else 0.
  uint64_t workers_ns = 0;
  // The place; empty path when there is none in scope.
  std::string path;
  std::string function;
  uint32_t line = 0;
  // What the line has of of_ns: CPU time for kCpu, as in the tables; waits of the main thread;
  // garbage collection.
  uint64_t place_ns = 0;
  uint64_t outside_ns = 0;  // the same outside the user's code
  std::string title{};      // of the metric of kDeclared
  // Of the kinds that are about memory, and of kDeclared its values.
  uint64_t bytes = 0;
  uint64_t of_bytes = 0;
  uint64_t place_bytes = 0;
  double probability = 0;
};

// A word for it that other programs go by: the name of a metric where each of that kind is about
// that one.
std::string_view NameOf(Verdict::Kind kind);

struct Report {
  format::RunInfo run;
  metric::Table metrics;          // that rows may have
  std::vector<Verdict> verdicts;  // most important first, never empty
  std::vector<ProcessReport> processes;
  View merged;
  std::vector<GilWaitStats> gil_waits;  // longest first
  RankTable ranks;
  std::vector<RegionStats> regions;                  // longest first
  std::vector<ProfiledFunction> profiled_functions;  // by place
  // Files have no lines but those of profiled_functions, and a line's `scoped` is
  // of samples whose innermost frame *in such a function* it is. Everything else
  // is of the whole program.
  bool lines_restricted = false;
  OpenedPackages opened;
  std::vector<TaskStats> tasks;             // most time first
  std::vector<AwaitStats> awaits;           // most time first
  std::vector<LoopBlockStats> loop_blocks;  // most time first
  std::vector<LeakStats> leaks;             // fastest first
  // Of the merged view, where they were asked for.
  std::optional<CallTree> call_tree;
  std::vector<LineCallers> callers;  // of its hottest lines, in that order
  std::vector<SourceFile> sources;
  std::vector<Counter> losses;  // last value of each, zeros included
  std::vector<Counter> costs;
  std::vector<Counter> facts;
  profile::LoadReport load;
};

}  // namespace pyrometer::analyze
