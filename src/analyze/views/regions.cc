// SPDX-License-Identifier: Apache-2.0
#include "analyze/views/regions.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pyrometer::analyze {
namespace {

// Times of the on-CPU samples of each thread, sorted.
std::vector<std::vector<uint64_t>> SampleTimes(const profile::Profile& profile) {
  std::vector<std::vector<uint64_t>> times(profile.threads.size());
  const profile::SampleColumns& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i)
    if (format::IsOnCpu(samples.activity[i]))
      times[samples.thread[i].value].push_back(samples.time_ns[i]);
  for (std::vector<uint64_t>& of_thread : times) std::sort(of_thread.begin(), of_thread.end());
  return times;
}

}  // namespace

std::vector<RegionStats> SumRegions(const profile::Profile& profile) {
  if (profile.regions.empty()) return {};
  const std::vector<std::vector<uint64_t>> times = SampleTimes(profile);
  std::map<std::string, RegionStats> by_name;
  for (const format::RegionInfo& region : profile.regions) {
    RegionStats& row = by_name[profile.Text(region.name)];
    ++row.count;
    row.wall_ns += region.length_ns;
    row.cpu_ns += region.cpu_ns;
    row.longest_ns = std::max(row.longest_ns, region.length_ns);
    const std::vector<uint64_t>& own = times[region.thread.value];
    const auto begin = std::lower_bound(own.begin(), own.end(), region.begin_ns);
    const auto end = std::upper_bound(begin, own.end(), region.begin_ns + region.length_ns);
    row.samples += static_cast<uint64_t>(end - begin);
  }
  std::vector<RegionStats> rows;
  for (auto& [name, row] : by_name) {
    row.name = name;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const RegionStats& a, const RegionStats& b) {
    return std::tuple(b.wall_ns, a.name) < std::tuple(a.wall_ns, b.name);
  });
  return rows;
}

}  // namespace pyrometer::analyze
