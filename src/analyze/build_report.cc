// SPDX-License-Identifier: Apache-2.0
#include "analyze/build_report.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "analyze/call_tree_builder.h"
#include "analyze/frame_table.h"
#include "analyze/hot_lines.h"
#include "analyze/leaks.h"
#include "analyze/line_callers.h"
#include "analyze/memory_charges.h"
#include "analyze/memory_history.h"
#include "analyze/memory_levels.h"
#include "analyze/outline.h"
#include "analyze/places.h"
#include "analyze/ranks.h"
#include "analyze/regions.h"
#include "analyze/source_lines.h"
#include "analyze/stack_amounts.h"
#include "analyze/stack_kinds.h"
#include "analyze/tasks.h"
#include "analyze/verdict.h"
#include "analyze/view_builder.h"

namespace pyrometer::analyze {
namespace {

using profile::Profile;

// Builds the parts of one report; exists for the duration of BuildReport.
class Builder {
 public:
  Builder(const Profile& profile, const ReportOptions& options)
      : profile_(profile),
        options_(options),
        frames_(profile, options.scope),
        kinds_(profile, frames_),
        main_of_(FindMainThreads(profile)),
        samples_of_(profile.processes.size()),
        totals_(options.totals),
        profiled_only_(!options.all_functions && !profile.profiled_functions.empty()),
        spans_(FindSpans(profile)) {
    for (uint32_t i = 0; options.process_rows && i < profile.samples.size(); ++i) {
      const format::ThreadId thread = profile.samples.thread[i];
      samples_of_[profile.threads[thread.value].info.process.value].push_back(i);
    }
    std::vector<uint64_t> ends_ns;
    for (const Span& span : spans_) ends_ns.push_back(span.end);
    history_.emplace(profile, ends_ns);
    FindThreads();
  }

  Report Build() {
    Report report;
    report.run = profile_.run;
    report.load = profile_.load;
    report.opened = frames_.opened();
    for (size_t i = 0; i < profile_.processes.size(); ++i) {
      report.processes.push_back(MakeProcess(i));
    }
    report.merged = MakeMerged(report.processes);
    std::optional<size_t> main_thread;
    if (!main_of_.empty()) main_thread = main_of_.front();
    report.leaks = FindLeaks(profile_, frames_, *history_, spans_);
    report.verdicts = FindVerdicts(report.merged, report.leaks);
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
  // `whole` are indices of samples; `main_thread` the thread whose waits count
  // as the main ones; `process` whose awaits and memory are added, of all if empty.
  View MakeView(std::vector<uint32_t> whole, std::optional<size_t> main_thread,
                std::optional<size_t> process, const Span& span) const {
    const profile::SampleColumns& samples = profile_.samples;
    SortByStack(whole);
    std::optional<format::ProcessId> id;
    if (process) id = format::ProcessId(static_cast<uint32_t>(*process));
    std::optional<MemoryCharges> memory;
    if (HasMemory(id))
      memory.emplace(profile_, frames_, *history_, id, span, totals_, profiled_only_);
    ViewBuilder builder(profile_, frames_, totals_, profiled_only_, memory ? &*memory : nullptr);
    std::map<std::optional<uint32_t>, Breakdown> imports;  // by file
    decltype(View::gc_ns_of) gc_ns_of{};
    for (size_t i = 0; i < whole.size();) {
      const format::StackId stack = samples.stack[whole[i]];
      Breakdown time;
      for (; i < whole.size() && samples.stack[whole[i]] == stack; ++i) {
        const uint32_t s = whole[i];
        time.AddSample(samples.activity[s], samples.weight_ns[s], samples.count[s],
                       samples.thread[s].value == main_thread);
      }
      if (kinds_.InGc(stack)) {
        time.gc_ns = time.cpu.ns;
        for (size_t a = 0; a < gc_ns_of.size(); ++a) gc_ns_of[a] += time.by_activity[a].ns;
      }
      if (kinds_.InWorker(stack)) time.worker_ns = time.cpu.ns;
      if (kinds_.InImport(stack)) {
        time.import_ns = time.heat_ns();
        imports[kinds_.ImportedFile(stack)].Add(time);
      }
      builder.AddStack(stack, time);
    }
    for (const format::Await& await : profile_.awaits) {
      if (process && profile_.tasks[await.task.value].info.process.value != *process) continue;
      Breakdown time;
      time.await_ns = await.wait_ns;
      builder.AddStack(await.stack, time);
    }
    View view = builder.Finish();
    view.gc_ns_of = gc_ns_of;
    view.elapsed_ns = span.length();
    AddThreads(view, process, memory ? &*memory : nullptr);
    if (memory) FillLevels(profile_, id, span, view.memory);
    for (const auto& [file, time] : imports) {
      view.imports.push_back({file ? frames_.files()[*file].path : "", time});
      SetIntervals(view.imports.back().time, view.total);
    }
    std::sort(view.imports.begin(), view.imports.end(),
              [](const ImportStats& a, const ImportStats& b) {
                return std::tuple(b.time.heat_ns(), a.path) < std::tuple(a.time.heat_ns(), b.path);
              });
    return view;
  }

  // Samples of one stack together, else in the order that they have.
  void SortByStack(std::vector<uint32_t>& whole) const {
    const std::vector<format::StackId>& stack = profile_.samples.stack;
    if (whole.size() < profile_.stacks.size() / 16) {
      std::sort(whole.begin(), whole.end(), [&](uint32_t a, uint32_t b) {
        return std::tie(stack[a], a) < std::tie(stack[b], b);
      });
      return;
    }
    // Counted, because comparing ten million of them takes seconds.
    std::vector<uint32_t> place(profile_.stacks.size() + 1);
    for (const uint32_t i : whole) ++place[stack[i].value + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    std::vector<uint32_t> sorted(whole.size());
    for (const uint32_t i : whole) sorted[place[stack[i].value]++] = i;
    whole = std::move(sorted);
  }

  ProcessReport MakeProcess(size_t index) const {
    ProcessReport report = DescribeProcess(profile_.processes[index]);
    report.view = options_.process_rows
                      ? MakeView(samples_of_[index], main_of_[index], index, spans_[index])
                      : MakeTotals(index);
    return report;
  }

  View MakeTotals(size_t process) const {
    View view;
    view.elapsed_ns = spans_[process].length();
    for (const ThreadStats& thread : threads_of_[process]) view.total.Add(thread.time);
    AddThreads(view, process, nullptr);
    return view;
  }

  View MakeMerged(const std::vector<ProcessReport>& processes) const {
    if (processes.empty()) return {};
    if (processes.size() == 1 && options_.process_rows) return processes.front().view;
    std::vector<uint32_t> all(profile_.samples.size());
    std::iota(all.begin(), all.end(), 0);
    Span span = spans_.front();
    for (const Span& other : spans_) {
      span = {std::min(span.begin, other.begin), std::max(span.end, other.end)};
    }
    return MakeView(std::move(all), main_of_.front(), std::nullopt, span);
  }

  bool HasMemory(std::optional<format::ProcessId> process) const {
    const auto of = [&](const auto& record) { return !process || record.process == *process; };
    return !history_->Changes(process).empty() ||
           std::any_of(profile_.memory_peaks.begin(), profile_.memory_peaks.end(), of) ||
           std::any_of(profile_.memory_levels.begin(), profile_.memory_levels.end(), of);
  }

  // The threads of a process, or of all.
  void AddThreads(View& view, std::optional<size_t> process, const MemoryCharges* memory) const {
    for (size_t i = 0; i < threads_of_.size(); ++i) {
      if (process && i != *process) continue;
      view.threads.insert(view.threads.end(), threads_of_[i].begin(), threads_of_[i].end());
    }
    if (memory == nullptr) return;
    size_t at = 0;
    for (size_t i = 0; i < threads_of_.size(); ++i) {
      if (process && i != *process) continue;
      for (const uint32_t thread : thread_ids_of_[i])
        view.threads[at++].memory = memory->Thread(thread);
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
      times[thread].worker_ns += samples.weight_ns[i];
      if (const auto spot = frames_.ScopedSpot(samples.stack[i]))
        works_for[static_cast<uint32_t>(thread)][*spot] += samples.weight_ns[i];
    }
    for (size_t i = 0; i < times.size(); ++i) {
      const size_t process = profile_.threads[i].info.process.value;
      SetIntervals(times[i], times[i]);
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
    const Measure measure = options_.measure.value_or(DefaultMeasure(report.merged));
    const std::vector<StackAmount> amounts =
        AmountsOf(measure, profile_, kinds_, *history_, main_thread);
    if (options_.tree_threshold_percent) {
      CallTreeBuilder builder(profile_, frames_,
                              {measure, *options_.tree_threshold_percent, options_.scope.all});
      report.call_tree = builder.Build(amounts, Threads());
    }
    std::vector<LineRef> lines = RankLines(report.merged, measure);
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
  std::vector<std::vector<uint32_t>> samples_of_;     // sample indices by process
  const bool totals_;
  const bool profiled_only_;
  const std::vector<Span> spans_;                     // by process
  std::vector<std::vector<ThreadStats>> threads_of_;  // by process
  std::vector<std::vector<uint32_t>> thread_ids_of_;  // the same, as indices in the profile
  std::optional<MemoryHistory> history_;
};

}  // namespace

Report BuildReport(const Profile& profile, const ReportOptions& options) {
  return Builder(profile, options).Build();
}

}  // namespace pyrometer::analyze
