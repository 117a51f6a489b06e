// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/chrome/trace_owners.h"
#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// Regions of a trace that run beside the calls of a thread and may overlap with anything:
// those become regions.
//
// Thread-safety: none; one owner.
class TraceRegions {
 public:
  explicit TraceRegions(ProfileMaker& maker) : maker_(maker) {}

  // One whose beginning and end are known.
  void Add(uint32_t track, std::string_view name, int64_t begin_ns, int64_t end_ns);
  // The beginning or the end of one; those with the same id belong together, the inner ones
  // ending first.
  void Mark(uint32_t track, std::string_view id, std::string_view name, int64_t at_ns, bool begins);

  void Write(TraceOwners& owners, int64_t zero_ns);

 private:
  struct Region {
    uint32_t track;
    uint32_t name;
    int64_t begin_ns;
    int64_t end_ns;
  };
  struct Moment {
    int64_t at_ns;
    uint32_t track;
    uint32_t id;
    uint32_t name;
    bool begins;
  };

  uint32_t Number(std::string_view text);
  void MatchMoments();

  ProfileMaker& maker_;
  std::map<std::string, uint32_t, std::less<>> numbers_;
  std::vector<const std::string*> texts_;  // by number
  std::vector<Region> regions_;
  std::vector<Moment> moments_;
};

}  // namespace pyrometer::import_
