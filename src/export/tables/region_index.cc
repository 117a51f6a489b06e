// SPDX-License-Identifier: Apache-2.0
#include "export/tables/region_index.h"

#include <algorithm>

#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {

RegionIndex::RegionIndex(const profile::Profile& profile) : by_thread_(profile.threads.size()) {
  for (uint32_t i = 0; i < profile.regions.size(); ++i) {
    const format::RegionInfo& region = profile.regions[i];
    by_thread_[region.thread.value].push_back(
        {region.begin_ns, SaturatingSum(region.begin_ns, region.length_ns), i, kNone});
  }
  for (std::vector<Stretch>& stretches : by_thread_) {
    std::ranges::sort(stretches, [](const Stretch& a, const Stretch& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < stretches.size(); ++i) {
      while (!open.empty() && stretches[open.back()].end_ns < stretches[i].begin_ns)
        open.pop_back();
      if (!open.empty()) stretches[i].outer = open.back();
      open.push_back(i);
    }
  }
}

std::optional<uint32_t> RegionIndex::At(format::ThreadId thread, uint64_t time_ns) const {
  const std::vector<Stretch>& stretches = by_thread_[thread.value];
  const auto later = std::ranges::upper_bound(stretches, time_ns, {}, &Stretch::begin_ns);
  if (later == stretches.begin()) return std::nullopt;
  auto at = static_cast<uint32_t>(later - stretches.begin() - 1);
  while (at != kNone && stretches[at].end_ns < time_ns) at = stretches[at].outer;
  return at == kNone ? std::nullopt : std::optional(stretches[at].region);
}

}  // namespace pyrometer::export_
