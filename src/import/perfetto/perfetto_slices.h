// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// The slices of a trace: what a program said that it did from when to when, on tracks. They
// become regions where samples tell what ran meanwhile, and stacks else.
//
// Thread-safety: none; one owner.
class PerfettoSlices {
 public:
  explicit PerfettoSlices(ProfileMaker& maker) : maker_(maker) {}

  struct Track {
    uint64_t uuid = 0;
    uint64_t parent = 0;
    uint64_t pid = 0, tid = 0;
    bool is_process = false, is_thread = false;
    std::string name{};
  };
  void AddTrack(const Track& track);

  enum class Kind : uint8_t { kBegin, kEnd };
  void AddEvent(uint64_t track, Kind kind, uint64_t time_ns, std::string_view name);

  // All is known. `start_ns`: what becomes 0.
  void Write(uint64_t start_ns, bool as_regions);
  bool empty() const { return events_.empty(); }
  uint64_t first_ns() const { return first_ns_; }

 private:
  struct Event {
    uint64_t time_ns = 0;
    uint32_t track = 0;  // number in uuids_
    uint32_t name = 0;   // number + 1 in names_; 0: an end
  };

  format::ThreadId ThreadOf(uint64_t uuid);
  void WriteTrack(std::vector<Event>::const_iterator begin, std::vector<Event>::const_iterator end,
                  uint64_t start_ns, bool as_regions);

  ProfileMaker& maker_;
  std::unordered_map<uint64_t, Track> tracks_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // of tracks with events
  std::vector<uint64_t> uuids_;
  std::unordered_map<std::string, uint32_t> name_numbers_;
  std::vector<std::string> names_;
  std::vector<Event> events_;
  uint64_t first_ns_ = ~uint64_t{0};
};

}  // namespace pyrometer::import_
