// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/report/memory_stats.h"
#include "base/grouped_rows.h"
#include "profile/profile.h"

namespace pyrometer::analyze {

// What was live when, place by place: the changes of a profile in order of time,
// added up. What is of one process is found without a look at the others.
//
// `profile` must outlive it. Thread-safety: immutable after construction.
class MemoryHistory {
 public:
  struct Place {
    format::ThreadId thread;
    format::StackId stack;
    format::MemoryKind kind;
  };
  // From `time_ns` on, `place` has `live_bytes`.
  struct Step {
    uint64_t time_ns = 0;
    uint64_t live_bytes = 0;
    uint32_t place = 0;
    bool exit = false;  // not freed: its process ended
  };
  struct Part {
    Place place;
    MemorySum live;
  };

  // `ends_ns`: when each process ended.
  MemoryHistory(const profile::Profile& profile, const std::vector<uint64_t>& ends_ns);

  // Each of these is of one process, or of all, in order of time.
  const std::vector<Step>& Steps(std::optional<format::ProcessId> process) const {
    return Of(process).steps;
  }
  // Indices in the profile's memory_changes.
  const std::vector<uint32_t>& Changes(std::optional<format::ProcessId> process) const {
    return Of(process).changes;
  }

  const std::vector<Place>& places() const { return places_; }
  // The places (indices in places) of one process, or of all, in their order.
  std::span<const uint32_t> Places(std::optional<format::ProcessId> process) const {
    return process ? places_of_.Of(process->value) : std::span<const uint32_t>(all_places_);
  }
  // Where in Places(process) a place stands, which is one of them.
  uint32_t RankOf(uint32_t place, std::optional<format::ProcessId> process) const {
    return process ? ranks_[place] : place;
  }
  // Null: none was recorded.
  const format::MemoryPeak* PeakOf(format::ProcessId process) const {
    return peaks_[process.value];
  }
  const format::MemorySurvivors* SurvivorsOf(format::ProcessId process) const {
    return survivors_[process.value];
  }
  // Indices in the profile's memory_levels, process by process.
  std::span<const uint32_t> Levels(std::optional<format::ProcessId> process) const {
    return process ? levels_.Of(process->value) : levels_.All();
  }
  // Whether each piece of what was allocated had one mark, in that process or in any.
  bool InPieces(std::optional<format::ProcessId> process) const {
    return process ? in_pieces_[process->value] : any_in_pieces_;
  }

  // The place (index in places) of a change (index in memory_changes).
  uint32_t PlaceOf(uint32_t change) const { return place_of_[change]; }
  // When the memory of a process went away with it.
  uint64_t ExitNs(format::ProcessId process) const { return exits_ns_[process.value]; }
  format::ProcessId ProcessOf(const Place& place) const {
    return profile_.threads[place.thread.value].info.process;
  }

  // All that was live at `time_ns`, of processes that had not ended, by places
  // that had something.
  std::vector<Part> LiveAt(uint64_t time_ns, std::optional<format::ProcessId> process) const;

 private:
  struct Events {
    std::vector<uint32_t> changes;
    std::vector<Step> steps;
  };
  const Events& Of(std::optional<format::ProcessId> process) const {
    return process ? by_process_[process->value] : all_;
  }

  void GroupPlaces();
  void GroupRecords();

  const profile::Profile& profile_;
  std::vector<uint32_t> place_of_;  // by index in memory_changes
  std::vector<Place> places_;
  std::vector<uint32_t> all_places_, ranks_;  // by place: its number among all, and of its process
  base::GroupedRows places_of_, levels_;      // by process
  std::vector<const format::MemoryPeak*> peaks_;           // by process
  std::vector<const format::MemorySurvivors*> survivors_;  // by process
  std::vector<bool> in_pieces_;                            // by process
  bool any_in_pieces_ = false;
  std::vector<uint64_t> exits_ns_;  // by process
  Events all_;
  std::vector<Events> by_process_;
};

}  // namespace pyrometer::analyze
