// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/tasks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyze/code/places.h"

namespace pyrometer::analyze {
namespace {

using profile::Profile;

constexpr size_t kMaxChains = 32;  // of one line

void Add(AwaitTime& time, const format::Await& await) {
  (await.state == format::AwaitState::kReady ? time.ready_ns : time.suspended_ns) += await.wait_ns;
  time.samples += await.count;
}

void Add(AwaitTime& time, const AwaitTime& other) {
  time.suspended_ns += other.suspended_ns;
  time.ready_ns += other.ready_ns;
  time.samples += other.samples;
}

// By `key`, which begins with the time, turned around; the rest of it makes the
// order total.
template <class Row, class Key>
void SortByTime(std::vector<Row>& rows, Key key) {
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
}

// Sums awaits stack by stack first: there are far fewer stacks than awaits.
struct StackAwaits {
  AwaitTime time;
  std::set<format::TaskId> tasks;
};

std::optional<Place> MakerOf(const Profile& profile, const FrameTable& frames,
                             const profile::Task& task) {
  if (task.origin == format::kEmptyStack) return std::nullopt;
  if (const auto spot = frames.ScopedSpot(task.origin)) return PlaceOf(frames, *spot);
  const std::vector<Place> places = PlacesOf(profile, frames, task.origin);
  return places.empty() ? std::nullopt : std::optional(places.back());
}

}  // namespace

std::string TaskName(const Profile& profile, const profile::Task& task) {
  const format::TaskName& name = task.name();
  if (const std::string& text = profile.Text(name.text); !text.empty()) return text;
  return name.number == 0 ? "" : "Task-" + std::to_string(name.number);
}

std::vector<TaskStats> SumTasks(const Profile& profile, const FrameTable& frames) {
  struct Own {
    uint64_t cpu_ns = 0;
    uint64_t samples = 0;
    AwaitTime time;
  };
  std::vector<Own> own(profile.tasks.size());
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (!profile.samples.task[i] || !format::IsOnCpu(profile.samples.activity[i])) continue;
    Own& task = own[(*profile.samples.task[i]).value];
    task.cpu_ns += profile.samples.weight_ns[i];
    task.samples += profile.samples.count[i];
  }
  for (const format::Await& await : profile.awaits) Add(own[await.task.value].time, await);

  std::map<std::tuple<std::string, std::string, uint32_t>, TaskStats> rows;
  std::map<const TaskStats*, uint64_t> most;
  std::map<const TaskStats*, std::map<Place, size_t>> makers;
  for (size_t i = 0; i < profile.tasks.size(); ++i) {
    const format::CodeInfo& code = profile.codes[profile.tasks[i].info.coroutine.value];
    TaskStats& row =
        rows[{profile.Text(code.filename), profile.Text(code.qualname), code.first_line}];
    ++row.tasks;
    row.cpu_ns += own[i].cpu_ns;
    row.samples += own[i].samples;
    Add(row.time, own[i].time);
    if (const auto maker = MakerOf(profile, frames, profile.tasks[i])) ++makers[&row][*maker];
    const uint64_t heat = own[i].cpu_ns + own[i].time.ns();
    const std::string name = TaskName(profile, profile.tasks[i]);
    if (name.empty() || (!row.name.empty() && heat <= most[&row])) continue;
    most[&row] = heat;
    row.name = name;
  }
  std::vector<TaskStats> stats;
  for (auto& [key, row] : rows) {
    std::tie(row.path, row.coroutine, row.first_line) = key;
    if (const auto it = makers.find(&row); it != makers.end())
      row.made_at = std::max_element(it->second.begin(), it->second.end(), [](auto& a, auto& b) {
                      return a.second < b.second;
                    })->first;
    stats.push_back(std::move(row));
  }
  SortByTime(stats, [](const TaskStats& row) {
    return std::tuple(~(row.cpu_ns + row.time.ns()), row.path, row.coroutine, row.first_line);
  });
  return stats;
}

std::vector<AwaitStats> SumAwaits(const Profile& profile, const FrameTable& frames) {
  std::map<format::StackId, StackAwaits> stacks;
  for (const format::Await& await : profile.awaits) {
    StackAwaits& stack = stacks[await.stack];
    Add(stack.time, await);
    stack.tasks.insert(await.task);
  }
  struct Row {
    AwaitStats stats;
    std::set<format::TaskId> tasks;
    std::map<std::string, uint64_t> awaited;
    std::map<std::vector<Place>, AwaitTime> chains;
  };
  std::map<Place, Row> rows;
  for (const auto& [stack, sums] : stacks) {
    std::vector<Place> chain = PlacesOf(profile, frames, stack);
    if (chain.empty()) continue;
    const auto scoped = frames.ScopedSpot(stack);
    const Place place = scoped ? PlaceOf(frames, *scoped) : chain.back();
    Row& row = rows[place];
    Add(row.stats.time, sums.time);
    row.tasks.insert(sums.tasks.begin(), sums.tasks.end());
    if (!(chain.back() == place)) row.awaited[chain.back().function] += sums.time.ns();
    Add(row.chains[std::move(chain)], sums.time);
  }
  std::vector<AwaitStats> stats;
  for (auto& [place, row] : rows) {
    row.stats.place = place;
    row.stats.tasks = row.tasks.size();
    const auto awaited = std::max_element(row.awaited.begin(), row.awaited.end(),
                                          [](auto& a, auto& b) { return a.second < b.second; });
    if (awaited != row.awaited.end()) row.stats.awaited = awaited->first;
    for (const auto& [chain, time] : row.chains) row.stats.chains.push_back({chain, time});
    SortByTime(row.stats.chains, [](const AwaitStats::Chain& chain) {
      return std::tuple(~chain.time.ns(), chain.frames);
    });
    row.stats.chains.resize(std::min(row.stats.chains.size(), kMaxChains));
    stats.push_back(std::move(row.stats));
  }
  SortByTime(stats, [](const AwaitStats& row) { return std::tuple(~row.time.ns(), row.place); });
  return stats;
}

std::vector<LoopBlockStats> SumLoopBlocks(const Profile& profile, const FrameTable& frames) {
  std::map<Place, LoopBlockStats> rows;
  for (const format::LoopBlock& block : profile.loop_blocks) {
    std::vector<Place> stack = PlacesOf(profile, frames, block.stack);
    const auto scoped = frames.ScopedSpot(block.stack);
    const Place place = scoped          ? PlaceOf(frames, *scoped)
                        : stack.empty() ? Place{"", "?", 0}
                                        : stack.back();
    LoopBlockStats& row = rows[place];
    ++row.count;
    row.total_ns += block.length_ns;
    row.samples += block.count;
    if (block.length_ns <= row.longest_ns) continue;
    const profile::Thread& thread = profile.threads[block.thread.value];
    row.longest_ns = block.length_ns;
    row.begin_ns = block.begin_ns;
    row.pid = profile.processes[thread.info.process.value].info.pid;
    row.tid = thread.info.tid;
    row.thread = thread.end && !thread.end->name.empty() ? thread.end->name : thread.info.name;
    row.stack = std::move(stack);
  }
  std::vector<LoopBlockStats> stats;
  for (auto& [place, row] : rows) {
    row.place = place;
    stats.push_back(std::move(row));
  }
  SortByTime(stats, [](const LoopBlockStats& row) { return std::tuple(~row.total_ns, row.place); });
  return stats;
}

}  // namespace pyrometer::analyze
