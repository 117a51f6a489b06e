// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/memory_history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace pyrometer::analyze {

using format::MemoryChange;

MemoryHistory::MemoryHistory(const profile::Profile& profile, const std::vector<uint64_t>& ends_ns)
    : profile_(profile), exits_ns_(ends_ns), by_process_(profile.processes.size()) {
  const std::vector<MemoryChange>& changes = profile.memory_changes;
  all_.changes.resize(changes.size());
  std::iota(all_.changes.begin(), all_.changes.end(), 0);
  std::stable_sort(all_.changes.begin(), all_.changes.end(),
                   [&](uint32_t a, uint32_t b) { return changes[a].time_ns < changes[b].time_ns; });
  std::map<std::tuple<format::ThreadId, format::StackId, format::MemoryKind>, uint32_t> known;
  for (const MemoryChange& change : changes) {
    const auto [it, fresh] = known.try_emplace({change.thread, change.stack, change.kind},
                                               static_cast<uint32_t>(places_.size()));
    if (fresh) places_.push_back({change.thread, change.stack, change.kind});
    place_of_.push_back(it->second);
  }
  std::vector<MemorySum> live(places_.size());
  for (const uint32_t i : all_.changes) {
    const MemoryChange& change = changes[i];
    const format::ProcessId process = ProcessOf(places_[place_of_[i]]);
    by_process_[process.value].changes.push_back(i);
    uint64_t& exit_ns = exits_ns_[process.value];
    exit_ns = std::max(exit_ns, change.time_ns);
    if (change.kind == format::MemoryKind::kCopied) continue;
    MemorySum& sum = live[place_of_[i]];
    sum.Add(change.allocated);
    sum.Remove(change.freed);
    all_.steps.push_back({change.time_ns, sum.bytes, place_of_[i], false});
  }
  for (uint64_t& exit_ns : exits_ns_) ++exit_ns;  // after the last change
  for (uint32_t place = 0; place < places_.size(); ++place)
    if (live[place].bytes != 0)
      all_.steps.push_back({ExitNs(ProcessOf(places_[place])), 0, place, true});
  std::stable_sort(all_.steps.begin(), all_.steps.end(),
                   [](const Step& a, const Step& b) { return a.time_ns < b.time_ns; });
  for (const Step& step : all_.steps)
    by_process_[ProcessOf(places_[step.place]).value].steps.push_back(step);
}

std::vector<MemoryHistory::Part> MemoryHistory::LiveAt(
    uint64_t time_ns, std::optional<format::ProcessId> process) const {
  std::vector<MemorySum> live(places_.size());
  for (const uint32_t i : Changes(process)) {
    const MemoryChange& change = profile_.memory_changes[i];
    if (change.time_ns > time_ns) break;
    if (change.kind == format::MemoryKind::kCopied) continue;
    MemorySum& sum = live[place_of_[i]];
    sum.Add(change.allocated);
    sum.Remove(change.freed);
  }
  std::vector<Part> parts;
  for (size_t place = 0; place < live.size(); ++place)
    if (!live[place].empty() && ExitNs(ProcessOf(places_[place])) > time_ns)
      parts.push_back({places_[place], live[place]});
  return parts;
}

}  // namespace pyrometer::analyze
