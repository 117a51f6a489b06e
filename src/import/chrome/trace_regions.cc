// SPDX-License-Identifier: Apache-2.0
#include "import/chrome/trace_regions.h"

#include <algorithm>

namespace pyrometer::import_ {

uint32_t TraceRegions::Number(std::string_view text) {
  auto it = numbers_.find(text);
  if (it == numbers_.end()) {
    it = numbers_.emplace(text, static_cast<uint32_t>(texts_.size())).first;
    texts_.push_back(&it->first);
    constexpr size_t kEntryBytes = 120;
    maker_.Charge(kEntryBytes + text.size());
  }
  return it->second;
}

void TraceRegions::Add(uint32_t track, std::string_view name, int64_t begin_ns, int64_t end_ns) {
  regions_.push_back({track, Number(name), begin_ns, end_ns});
  maker_.Charge(sizeof(Region));
}

void TraceRegions::Mark(uint32_t track, std::string_view id, std::string_view name, int64_t at_ns,
                        bool begins) {
  moments_.push_back({at_ns, track, Number(id), Number(name), begins});
  maker_.Charge(2 * sizeof(Moment));
}

void TraceRegions::MatchMoments() {
  std::ranges::stable_sort(moments_, {}, &Moment::at_ns);
  std::map<uint32_t, std::vector<const Moment*>> open;  // by id
  uint64_t ends_without = 0, without_end = 0;
  for (const Moment& moment : moments_) {
    std::vector<const Moment*>& mine = open[moment.id];
    if (moment.begins) {
      mine.push_back(&moment);
    } else if (mine.empty()) {
      ++ends_without;
    } else {
      const Moment& begin = *mine.back();
      regions_.push_back({begin.track, begin.name, begin.at_ns, moment.at_ns});
      mine.pop_back();
    }
  }
  for (const auto& [id, left] : open) without_end += left.size();
  if (ends_without > 0) maker_.AddLoss("ends of regions that have not begun", ends_without);
  if (without_end > 0) maker_.AddLoss("regions without an end", without_end);
  moments_ = {};
}

void TraceRegions::Write(TraceOwners& owners, int64_t zero_ns) {
  MatchMoments();
  std::ranges::stable_sort(regions_, {}, &Region::begin_ns);
  for (const Region& region : regions_)
    maker_.AddRegion(owners.ThreadOf(region.track), *texts_[region.name],
                     static_cast<uint64_t>(region.begin_ns - zero_ns),
                     static_cast<uint64_t>(region.end_ns - region.begin_ns));
  regions_ = {};
}

}  // namespace pyrometer::import_
