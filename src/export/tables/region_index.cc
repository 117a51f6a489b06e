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
  for (std::vector<Span>& spans : by_thread_) {
    std::ranges::sort(spans, [](const Span& a, const Span& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < spans.size(); ++i) {
      while (!open.empty() && spans[open.back()].end_ns < spans[i].begin_ns) open.pop_back();
      if (!open.empty()) spans[i].outer = open.back();
      open.push_back(i);
    }
  }
}

std::optional<uint32_t> RegionIndex::At(format::ThreadId thread, uint64_t time_ns) const {
  const std::vector<Span>& spans = by_thread_[thread.value];
  const auto later = std::ranges::upper_bound(spans, time_ns, {}, &Span::begin_ns);
  if (later == spans.begin()) return std::nullopt;
  auto at = static_cast<uint32_t>(later - spans.begin() - 1);
  while (at != kNone && spans[at].end_ns < time_ns) at = spans[at].outer;
  return at == kNone ? std::nullopt : std::optional(spans[at].region);
}

}  // namespace pyrometer::export_
