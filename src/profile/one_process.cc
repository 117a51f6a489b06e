// SPDX-License-Identifier: Apache-2.0
#include "profile/one_process.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pyrometer::profile {
namespace {

// New places of the rows of a table of which some go away.
class Places {
 public:
  // Removes the rows for which `keep` is false.
  template <class Row, class Keep>
  Places(std::vector<Row>& rows, Keep keep) : places_(rows.size(), kGone) {
    uint32_t count = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!keep(rows[i])) continue;
      places_[i] = count;
      if (i != count) rows[count] = std::move(rows[i]);
      ++count;
    }
    rows.resize(count);
  }

  // Changes `id` to the new place; false if it is gone.
  template <class Id>
  bool Move(Id& id) const {
    const uint32_t place = places_[id.value];
    if (place != kGone) id = Id(place);
    return place != kGone;
  }

 private:
  static constexpr uint32_t kGone = 0xffffffff;
  std::vector<uint32_t> places_;
};

void KeepSamples(SampleColumns& samples, const Places& threads, const Places& tasks) {
  SampleColumns kept;
  for (size_t i = 0; i < samples.size(); ++i) {
    format::ThreadId thread = samples.thread[i];
    if (!threads.Move(thread)) continue;
    std::optional<format::TaskId> task = samples.task[i];
    if (task && !tasks.Move(*task)) task.reset();
    kept.time_ns.push_back(samples.time_ns[i]);
    kept.thread.push_back(thread);
    kept.stack.push_back(samples.stack[i]);
    kept.activity.push_back(samples.activity[i]);
    kept.weight_ns.push_back(samples.weight_ns[i]);
    kept.count.push_back(samples.count[i]);
    kept.task.push_back(task);
  }
  samples = std::move(kept);
}

// Rows are of one process each, parts and all.
template <class Row>
void KeepLive(std::vector<Row>& rows, const Places& processes, const Places& threads) {
  std::erase_if(rows, [&](Row& row) { return !processes.Move(row.process); });
  for (Row& row : rows)
    for (format::LiveMemory& part : row.parts) threads.Move(part.thread);
}

}  // namespace

Profile OneProcess(Profile profile, uint64_t pid) {
  const Places processes(profile.processes,
                         [pid](const Process& process) { return process.info.pid == pid; });
  const Places threads(profile.threads,
                       [&](Thread& thread) { return processes.Move(thread.info.process); });
  const Places tasks(profile.tasks, [&](Task& task) { return processes.Move(task.info.process); });
  for (Process& process : profile.processes)
    if (process.end) processes.Move(process.end->process);
  for (Thread& thread : profile.threads)
    if (thread.end) threads.Move(thread.end->thread);
  for (Task& task : profile.tasks)
    if (task.end) tasks.Move(task.end->task);
  KeepSamples(profile.samples, threads, tasks);
  // What is about the whole program is about no single process.
  std::erase_if(profile.counters, [&](auto& row) {
    return row.Is(metric::Counter::kProgramCpu) || !processes.Move(row.process);
  });
  std::erase_if(profile.gil_waits, [&](auto& row) {
    return !threads.Move(row.waiter) || (row.holder && !threads.Move(*row.holder));
  });
  std::erase_if(profile.regions, [&](auto& row) { return !threads.Move(row.thread); });
  std::erase_if(profile.loop_blocks, [&](auto& row) { return !threads.Move(row.thread); });
  std::erase_if(profile.memory_changes, [&](auto& row) { return !threads.Move(row.thread); });
  std::erase_if(profile.amounts, [&](auto& row) { return !threads.Move(row.thread); });
  std::erase_if(profile.memory_levels, [&](auto& row) { return !processes.Move(row.process); });
  KeepLive(profile.memory_peaks, processes, threads);
  KeepLive(profile.memory_survivors, processes, threads);
  std::erase_if(profile.awaits, [&](auto& row) { return !tasks.Move(row.task); });
  return profile;
}

}  // namespace pyrometer::profile
