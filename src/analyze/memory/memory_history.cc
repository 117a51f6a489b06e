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
  GroupPlaces();
  GroupRecords();
}

void MemoryHistory::GroupPlaces() {
  all_places_.resize(places_.size());
  std::iota(all_places_.begin(), all_places_.end(), 0);
  places_of_ = base::GroupedRows(places_.size(), profile_.processes.size(),
                                 [this](size_t place) { return ProcessOf(places_[place]).value; });
  ranks_.resize(places_.size());
  for (size_t process = 0; process < profile_.processes.size(); ++process) {
    uint32_t rank = 0;
    for (const uint32_t place : places_of_.Of(process)) ranks_[place] = rank++;
  }
}

void MemoryHistory::GroupRecords() {
  const size_t processes = profile_.processes.size();
  levels_ = base::GroupedRows(profile_.memory_levels.size(), processes,
                              [this](size_t i) { return profile_.memory_levels[i].process.value; });
  peaks_.resize(processes);
  for (const format::MemoryPeak& peak : profile_.memory_peaks) peaks_[peak.process.value] = &peak;
  survivors_.resize(processes);
  for (const format::MemorySurvivors& survivors : profile_.memory_survivors)
    survivors_[survivors.process.value] = &survivors;
  in_pieces_.resize(processes);
  for (const profile::Counter& counter : profile_.counters)
    if (counter.Is(metric::Counter::kMemoryByPieces)) in_pieces_[counter.process.value] = true;
  any_in_pieces_ = std::ranges::find(in_pieces_, true) != in_pieces_.end();
}

std::vector<MemoryHistory::Part> MemoryHistory::LiveAt(
    uint64_t time_ns, std::optional<format::ProcessId> process) const {
  const std::span<const uint32_t> places = Places(process);
  std::vector<MemorySum> live(places.size());
  for (const uint32_t i : Changes(process)) {
    const MemoryChange& change = profile_.memory_changes[i];
    if (change.time_ns > time_ns) break;
    if (change.kind == format::MemoryKind::kCopied) continue;
    MemorySum& sum = live[RankOf(place_of_[i], process)];
    sum.Add(change.allocated);
    sum.Remove(change.freed);
  }
  std::vector<Part> parts;
  for (size_t rank = 0; rank < live.size(); ++rank) {
    const Place& place = places_[places[rank]];
    if (!live[rank].empty() && ExitNs(ProcessOf(place)) > time_ns)
      parts.push_back({place, live[rank]});
  }
  return parts;
}

}  // namespace pyrometer::analyze
