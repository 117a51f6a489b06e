// SPDX-License-Identifier: Apache-2.0
#include "analyze/build_report.h"

#include <algorithm>
#include <future>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analyze/calls/call_tree_builder.h"
#include "analyze/calls/line_callers.h"
#include "analyze/code/frame_table.h"
#include "analyze/code/places.h"
#include "analyze/code/source_lines.h"
#include "analyze/memory/leaks.h"
#include "analyze/memory/memory_charges.h"
#include "analyze/memory/memory_history.h"
#include "analyze/memory/memory_levels.h"
#include "analyze/report/outline.h"
#include "analyze/report/ranks.h"
#include "analyze/stacks/process_rows.h"
#include "analyze/stacks/stack_amounts.h"
#include "analyze/stacks/stack_kinds.h"
#include "analyze/stacks/stack_times.h"
#include "analyze/stacks/stack_walk.h"
#include "analyze/views/hot_lines.h"
#include "analyze/views/regions.h"
#include "analyze/views/tasks.h"
#include "analyze/views/verdict.h"
#include "analyze/views/view_builder.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using profile::Profile;

// A process that is at fewer stacks than one in so many is told only of these. All are walked so
// often at most as there are samples for it, however many processes there are.
constexpr size_t kFewStacks = 8;

std::vector<uint64_t> EndsOf(const std::vector<Span>& spans) {
  std::vector<uint64_t> ends_ns;
  for (const Span& span : spans) ends_ns.push_back(span.end);
  return ends_ns;
}

// Builds the parts of one report; exists for the duration of BuildReport.
class Builder {
 public:
  Builder(const Profile& profile, const ReportOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.scope),
        kinds_(profile, frames_),
        main_of_(FindMainThreads(profile)),
        totals_(options.totals),
        profiled_only_(!options.all_functions && !profile.profiled_functions.empty()),
        spans_(FindSpans(profile)),
        walk_(profile),
        rows_(profile, options.process_rows && profile.processes.size() > 1),
        history_(profile, EndsOf(spans_)),
        builder_(profile, frames_, totals_, profiled_only_),
        memory_(profile, frames_, history_, totals_, profiled_only_) {}

  Report Build() {
    Report report;
    report.run = profile_.run;
    report.metrics = profile_.metrics;
    report.load = profile_.load;
    report.opened = frames_.opened();
    std::future<std::vector<LeakStats>> leaks =
        std::async(IsLarge(std::nullopt) ? std::launch::async : std::launch::deferred,
                   [this] { return FindLeaks(profile_, frames_, history_, spans_); });
    FindThreads();
    for (size_t i = 0; i < profile_.processes.size(); ++i) {
      report.processes.push_back(MakeProcess(i));
    }
    report.merged = MakeMerged(report.processes);
    std::optional<size_t> main_thread;
    if (!main_of_.empty()) main_thread = main_of_.front();
    report.leaks = leaks.get();
    report.verdicts = FindVerdicts(report.merged, report.metrics, report.leaks);
    FillSources(report);
    ListCounters(profile_, report);
    report.ranks = CompareRanks(report);
    FillGilWaits(report);
    report.regions = SumRegions(profile_);
    FillProfiled(report);
    report.tasks = SumTasks(profile_, frames_);
    report.awaits = SumAwaits(profile_, frames_);
    report.loop_blocks = SumLoopBlocks(profile_, frames_);
    FillCalls(report, main_thread);
    return report;
  }

 private:
  // `main_thread` is the thread whose waits count as the main ones; `process` whose time and
  // memory are added, of all if empty.
  View MakeView(std::optional<size_t> main_thread, std::optional<size_t> process,
                const Span& span) {
    std::optional<format::ProcessId> id;
    if (process) id = format::ProcessId(static_cast<uint32_t>(*process));
    const bool has_memory = HasMemory(id);
    // Beside the time: neither looks at what the other makes.
    std::future<void> memory;
    if (has_memory)
      memory = std::async(IsLarge(id) ? std::launch::async : std::launch::deferred,
                          [&, id] { memory_.Charge(id, span, MemoryCharges::Rows::kAll); });
    std::map<std::optional<uint32_t>, Breakdown> imports;  // by file
    decltype(View::gc_ns_of) gc_ns_of{};
    const TimedRows rows = rows_.Of(process);
    std::optional<StackWalk> own_walk;
    if (rows.size() < profile_.stacks.size() / kFewStacks)
      own_walk.emplace(profile_, StacksOf(rows));
    const StackWalk& walk = own_walk ? *own_walk : walk_;
    {
      const StackTimes times(profile_, kinds_, walk, rows, main_thread);
      builder_.Charge(walk, times.used(), [&](uint32_t number, Breakdown* time) {
        const format::StackId stack = walk.StackOf(number);
        times.Fill(number, time);
        if (kinds_.InImport(stack)) imports[kinds_.ImportedFile(stack)].Add(*time);
        if (!kinds_.InGc(stack)) return;
        for (size_t a = 0; a < gc_ns_of.size(); ++a) gc_ns_of[a] += (*time)[format::Activity(a)].ns;
      });
    }
    if (has_memory) memory.get();
    View view = builder_.Finish(has_memory ? &memory_ : nullptr);
    view.gc_ns_of = gc_ns_of;
    view.elapsed_ns = span.length();
    AddThreads(view, process, has_memory);
    if (has_memory) FillLevels(profile_, history_, id, span, view.memory);
    for (const auto& [file, time] : imports)
      view.imports.push_back({file ? frames_.files()[*file].path : "", time});
    std::sort(view.imports.begin(), view.imports.end(),
              [](const ImportStats& a, const ImportStats& b) {
                return std::tuple(b.time.time_ns(), a.path) < std::tuple(a.time.time_ns(), b.path);
              });
    return view;
  }

  // Whether a thread of its own pays for the memory of a process, or of all.
  bool IsLarge(std::optional<format::ProcessId> process) const {
    constexpr size_t kManyChanges = 10'000;
    return history_.Changes(process).size() >= kManyChanges;
  }

  // Where the rows of one process are.
  std::vector<format::StackId> StacksOf(const TimedRows& rows) const {
    std::vector<format::StackId> stacks;
    for (size_t i = 0; i < rows.samples.size(); ++i)
      stacks.push_back(profile_.samples.stack[rows.samples[i]]);
    for (size_t i = 0; i < rows.awaits.size(); ++i)
      stacks.push_back(profile_.awaits[rows.awaits[i]].stack);
    for (size_t i = 0; i < rows.amounts.size(); ++i)
      stacks.push_back(profile_.amounts[rows.amounts[i]].stack);
    return stacks;
  }

  ProcessReport MakeProcess(size_t index) {
    ProcessReport report = DescribeProcess(profile_.processes[index]);
    report.view =
        options_.process_rows ? MakeView(main_of_[index], index, spans_[index]) : MakeTotals(index);
    return report;
  }

  View MakeTotals(size_t process) {
    View view;
    view.elapsed_ns = spans_[process].length();
    for (const ThreadStats& thread : threads_of_[process]) view.total.Add(thread.time);
    const format::ProcessId id(static_cast<uint32_t>(process));
    const bool has_memory = HasMemory(id);
    if (has_memory) {
      memory_.Charge(id, spans_[process], MemoryCharges::Rows::kNone);
      view.memory.recorded = true;
      view.memory.total = memory_.total();
    }
    AddThreads(view, process, has_memory);
    return view;
  }

  View MakeMerged(const std::vector<ProcessReport>& processes) {
    if (processes.empty()) return {};
    if (processes.size() == 1 && options_.process_rows) return processes.front().view;
    Span span = spans_.front();
    for (const Span& other : spans_) {
      span = {std::min(span.begin, other.begin), std::max(span.end, other.end)};
    }
    return MakeView(main_of_.front(), std::nullopt, span);
  }

  bool HasMemory(std::optional<format::ProcessId> process) const {
    const bool peak =
        process ? history_.PeakOf(*process) != nullptr : !profile_.memory_peaks.empty();
    return peak || !history_.Changes(process).empty() || !history_.Levels(process).empty();
  }

  // The threads of a process, or of all, with the memory that was charged last.
  void AddThreads(View& view, std::optional<size_t> process, bool has_memory) const {
    const size_t begin = process.value_or(0);
    const size_t end = process ? begin + 1 : threads_of_.size();
    for (size_t i = begin; i < end; ++i) {
      for (size_t k = 0; k < threads_of_[i].size(); ++k) {
        view.threads.push_back(threads_of_[i][k]);
        if (has_memory) view.threads.back().memory = memory_.Thread(thread_ids_of_[i][k]);
      }
    }
  }

  void FindThreads() {
    threads_of_.resize(profile_.processes.size());
    thread_ids_of_.resize(profile_.processes.size());
    std::vector<Breakdown> times(profile_.threads.size());
    std::map<uint32_t, std::map<uint32_t, uint64_t>> works_for;  // time by thread and spot
    const profile::SampleColumns& samples = profile_.samples;
    for (size_t i = 0; i < samples.size(); ++i) {
      const size_t thread = samples.thread[i].value;
      times[thread].AddSample(samples.activity[i], samples.weight_ns[i], samples.count[i],
                              IsMain(thread));
      if (!kinds_.InWorker(samples.stack[i])) continue;
      Amount amount;
      amount.AddSample(samples.weight_ns[i], samples.count[i]);
      times[thread].Add(metric::Metric::kWorker, amount);
      if (const auto spot = frames_.ScopedSpot(samples.stack[i]))
        works_for[static_cast<uint32_t>(thread)][*spot] += samples.weight_ns[i];
    }
    for (const profile::Amount& amount : profile_.amounts)
      times[amount.thread.value].Add(amount.metric, {amount.value, amount.count});
    for (size_t i = 0; i < times.size(); ++i) {
      const size_t process = profile_.threads[i].info.process.value;
      threads_of_[process].push_back(DescribeThread(profile_, i, IsMain(i), spans_[process].end));
      threads_of_[process].back().time = times[i];
      thread_ids_of_[process].push_back(static_cast<uint32_t>(i));
    }
    for (const auto& [thread, spots] : works_for) {
      const size_t process = profile_.threads[thread].info.process.value;
      const auto at = std::ranges::find(thread_ids_of_[process], thread);
      const auto most =
          std::ranges::max_element(spots, {}, [](const auto& one) { return one.second; });
      threads_of_[process][static_cast<size_t>(at - thread_ids_of_[process].begin())].works_for =
          PlaceOf(frames_, most->first);
    }
  }

  bool IsMain(size_t thread) const {
    return main_of_[profile_.threads[thread].info.process.value] == thread;
  }

  void FillProfiled(Report& report) const {
    report.lines_restricted = profiled_only_;
    for (const format::ProfiledFunction& function : profile_.profiled_functions) {
      if (function.inner) continue;
      const format::CodeInfo& code = profile_.codes[function.code.value];
      report.profiled_functions.push_back(
          {profile_.Text(code.filename), profile_.Text(code.qualname), code.first_line});
    }
    std::sort(report.profiled_functions.begin(), report.profiled_functions.end());
  }

  void FillSources(Report& report) const {
    std::unordered_map<std::string, size_t> by_path;
    for (const format::SourceInfo& source : profile_.sources) {
      const std::string& path = profile_.Text(source.path);
      const auto [it, fresh] = by_path.try_emplace(path, report.sources.size());
      if (fresh) report.sources.push_back({path, {}});
      report.sources[it->second].lines = SplitLines(source.text);
    }
    const auto link = [&](View& view) {
      for (FileStats& file : view.files) {
        if (const auto it = by_path.find(file.path); it != by_path.end()) file.source = it->second;
      }
    };
    for (ProcessReport& process : report.processes) link(process.view);
    link(report.merged);
  }

  // By index in the profile.
  std::vector<const ThreadStats*> Threads() const {
    std::vector<const ThreadStats*> threads(profile_.threads.size());
    std::vector<size_t> next(threads_of_.size());
    for (size_t i = 0; i < threads.size(); ++i) {
      const size_t process = profile_.threads[i].info.process.value;
      threads[i] = &threads_of_[process][next[process]++];
    }
    return threads;
  }

  void FillCalls(Report& report, std::optional<size_t> main_thread) const {
    if (!options_.tree_threshold_percent && options_.lines_with_callers == 0) return;
    const Metric metric = options_.metric.value_or(DefaultMetric(report.merged));
    const std::vector<StackAmount> amounts =
        AmountsOf(metric, profile_, kinds_, history_, main_thread);
    if (options_.tree_threshold_percent) {
      CallTreeBuilder builder(profile_, frames_,
                              {metric, *options_.tree_threshold_percent, options_.scope.all});
      report.call_tree = builder.Build(amounts, Threads());
    }
    std::vector<LineRef> lines = RankLines(report.merged, metric);
    lines.resize(std::min(lines.size(), options_.lines_with_callers));
    report.callers = FindCallers(profile_, frames_, amounts, report.merged, lines, profiled_only_);
  }

  void FillGilWaits(Report& report) const {
    const std::vector<const ThreadStats*> threads = Threads();
    for (const format::GilWait& wait : profile_.gil_waits) {
      GilWaitStats stats;
      stats.pid = threads[wait.waiter.value]->pid;
      stats.waiter_tid = threads[wait.waiter.value]->tid;
      stats.waiter = threads[wait.waiter.value]->name;
      if (wait.holder) {
        stats.holder_tid = threads[wait.holder->value]->tid;
        stats.holder = threads[wait.holder->value]->name;
      }
      stats.wait_ns = wait.wait_ns;
      stats.samples = wait.count;
      report.gil_waits.push_back(std::move(stats));
    }
    std::sort(report.gil_waits.begin(), report.gil_waits.end(),
              [](const GilWaitStats& a, const GilWaitStats& b) {
                return std::tuple(b.wait_ns, a.waiter_tid, a.holder_tid) <
                       std::tuple(a.wait_ns, b.waiter_tid, b.holder_tid);
              });
  }

  const Profile& profile_;
  const ReportOptions& options_;
  const FrameTable frames_;
  const StackKinds kinds_;
  const std::vector<std::optional<size_t>> main_of_;  // thread index by process
  const bool totals_;
  const bool profiled_only_;
  const std::vector<Span> spans_;                     // by process
  std::vector<std::vector<ThreadStats>> threads_of_;  // by process
  std::vector<std::vector<uint32_t>> thread_ids_of_;  // the same, as indices in the profile
  const StackWalk walk_;                              // of all stacks
  const ProcessRows rows_;
  const MemoryHistory history_;
  ViewBuilder builder_;
  MemoryCharges memory_;
};

}  // namespace

Report BuildReport(const Profile& profile, const ReportOptions& options) {
  return Builder(profile, options).Build();
}

}  // namespace pyrometer::analyze
