// SPDX-License-Identifier: Apache-2.0
#include "export/core/thread_timeline.h"

#include <algorithm>
#include <limits>

namespace pyrometer::export_ {
namespace {

// Nothing moves further.
constexpr uint64_t kMostNs = 100'000'000;

// The ends of the samples `rows`, moved so that each ends where the next begins at the latest.
std::vector<uint64_t> PlacedEnds(const profile::SampleColumns& samples,
                                 std::span<const uint32_t> rows) {
  std::vector<uint64_t> ends(rows.size());
  uint64_t limit = std::numeric_limits<uint64_t>::max();
  for (size_t i = rows.size(); i-- > 0;) {
    const uint64_t time = samples.time_ns[rows[i]];
    ends[i] = std::max(std::min(time, limit), time - std::min(time, kMostNs));
    limit = ends[i] - std::min(ends[i], samples.weight_ns[rows[i]]);
  }
  return ends;
}

}  // namespace

ThreadTimeline::ThreadTimeline(const Exchange& from)
    : from_(from), samples_(from.profile().samples.size(), from.threads().size(), [&](size_t i) {
        return from.profile().samples.thread[i].value;
      }) {}

std::vector<ThreadTimeline::Slice> ThreadTimeline::Of(uint32_t thread) const {
  const profile::SampleColumns& samples = from_.profile().samples;
  std::vector<Slice> slices;
  const std::span<const uint32_t> rows = samples_.Of(thread);
  const std::vector<uint64_t> ends = PlacedEnds(samples, rows);
  for (size_t row = 0; row < rows.size(); ++row) {
    const uint32_t i = rows[row];
    const uint64_t weight_ns = samples.weight_ns[i];
    const uint64_t earliest_ns = slices.empty() ? 0 : slices.back().end_ns;
    Slice next{.end_ns = std::max(ends[row], earliest_ns),
               .node = from_.NodeOf(samples.stack[i]),
               .weight_ns = weight_ns,
               .cpu_ns = format::IsOnCpu(samples.activity[i]) ? weight_ns : 0,
               .samples = samples.count[i]};
    next.begin_ns = std::max(earliest_ns, next.end_ns - std::min(next.end_ns, weight_ns));
    if (!slices.empty()) {
      Slice& last = slices.back();
      if (next.begin_ns - last.end_ns < weight_ns) last.end_ns = next.begin_ns;
      if (last.node == next.node && last.end_ns == next.begin_ns) {
        last.end_ns = next.end_ns;
        last.weight_ns = SaturatingSum(last.weight_ns, weight_ns);
        last.cpu_ns = SaturatingSum(last.cpu_ns, next.cpu_ns);
        last.samples += next.samples;
        continue;
      }
    }
    slices.push_back(next);
  }
  return slices;
}

}  // namespace pyrometer::export_
