// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/outline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyze/report/cpu_balance.h"
#include "analyze/report/ranks.h"

namespace pyrometer::analyze {

using profile::Profile;

std::vector<std::optional<size_t>> FindMainThreads(const Profile& profile) {
  std::vector<std::optional<size_t>> main_of(profile.processes.size());
  std::vector<bool> certain(profile.processes.size());
  for (size_t i = 0; i < profile.threads.size(); ++i) {
    const format::ThreadInfo& info = profile.threads[i].info;
    const size_t process = info.process.value;
    const bool is_main = info.tid == profile.processes[process].info.pid;
    if (certain[process] || (main_of[process] && !is_main)) continue;
    main_of[process] = i;
    certain[process] = is_main;
  }
  return main_of;
}

std::vector<Span> FindSpans(const Profile& profile) {
  std::vector<uint64_t> last(profile.processes.size());
  const auto saw = [&](size_t process, uint64_t time_ns) {
    last[process] = std::max(last[process], time_ns);
  };
  const auto process_of = [&](format::ThreadId thread) {
    return profile.threads[thread.value].info.process.value;
  };
  for (size_t i = 0; i < profile.samples.size(); ++i)
    saw(process_of(profile.samples.thread[i]), profile.samples.time_ns[i]);
  for (const format::MemoryChange& change : profile.memory_changes)
    saw(process_of(change.thread), change.time_ns);
  for (const format::MemoryLevel& level : profile.memory_levels)
    saw(level.process.value, level.time_ns);
  std::vector<Span> spans;
  for (size_t i = 0; i < profile.processes.size(); ++i) {
    const profile::Process& process = profile.processes[i];
    const uint64_t start = process.info.start_ns;
    spans.push_back({start, process.end       ? process.end->end_ns
                            : profile.run_end ? profile.run_end->end_ns
                                              : std::max(start, last[i])});
  }
  return spans;
}

ProcessReport DescribeProcess(const profile::Process& process) {
  ProcessReport report;
  report.pid = process.info.pid;
  report.parent_pid = process.info.parent_pid;
  report.argv = process.info.argv;
  report.executable = process.info.executable;
  report.interpreter = process.info.interpreter;
  report.clock = process.info.clock;
  report.sample_period_ns = process.info.sample_period_ns;
  report.start_ns = process.info.start_ns;
  report.end = process.end;
  return report;
}

ThreadStats DescribeThread(const Profile& profile, size_t index, bool main,
                           uint64_t process_end_ns) {
  const profile::Thread& thread = profile.threads[index];
  ThreadStats stats;
  stats.pid = profile.processes[thread.info.process.value].info.pid;
  stats.tid = thread.info.tid;
  stats.name = thread.info.name;
  stats.main = main;
  stats.start_ns = thread.info.start_ns;
  stats.end_ns = process_end_ns;
  if (thread.end) {
    stats.end_ns = thread.end->end_ns;
    stats.clock_cpu_ns = thread.end->cpu_ns;
    if (!thread.end->name.empty()) stats.name = thread.end->name;
  }
  return stats;
}

void ListCounters(const Profile& profile, Report& report) {
  std::map<std::pair<format::ProcessId, metric::CounterKey>, size_t> known;
  for (const profile::Counter& counter : profile.counters) {
    const format::CounterKind kind = counter.key.kind;
    std::vector<Counter>& list = kind == format::CounterKind::kLoss   ? report.losses
                                 : kind == format::CounterKind::kCost ? report.costs
                                                                      : report.facts;
    const auto [it, fresh] = known.try_emplace({counter.process, counter.key}, list.size());
    const uint64_t pid = profile.processes[counter.process.value].info.pid;
    if (fresh) list.push_back({pid, counter.key, 0});
    list[it->second].value = counter.value;
  }
  CheckCpuBalance(profile, report);
}

Report BuildOutline(const Profile& profile) {
  Report report;
  report.run = profile.run;
  report.metrics = profile.metrics;
  report.load = profile.load;
  const std::vector<std::optional<size_t>> main_of = FindMainThreads(profile);
  const std::vector<Span> spans = FindSpans(profile);
  for (size_t i = 0; i < profile.processes.size(); ++i) {
    report.processes.push_back(DescribeProcess(profile.processes[i]));
    report.processes.back().view.elapsed_ns = spans[i].length();
  }
  for (size_t i = 0; i < profile.threads.size(); ++i) {
    const size_t process = profile.threads[i].info.process.value;
    report.processes[process].view.threads.push_back(
        DescribeThread(profile, i, main_of[process] == i, spans[process].end));
  }
  report.merged.memory.recorded = !profile.memory_changes.empty() ||
                                  !profile.memory_peaks.empty() || !profile.memory_levels.empty();
  ListCounters(profile, report);
  report.ranks = CompareRanks(report);
  return report;
}

}  // namespace pyrometer::analyze
