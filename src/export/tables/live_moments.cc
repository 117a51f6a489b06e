// SPDX-License-Identifier: Apache-2.0
#include "export/tables/live_moments.h"

#include <algorithm>

#include "analyze/memory/memory_history.h"
#include "analyze/memory/memory_moments.h"

namespace pyrometer::export_ {
namespace {

using analyze::MemoryHistory;
using format::LiveMemory;

void Append(std::vector<LiveMemory>& rows, const std::vector<MemoryHistory::Part>& parts) {
  for (const MemoryHistory::Part& part : parts) {
    rows.push_back({part.place.thread, part.place.stack, part.place.kind, {}, part.live.amount()});
  }
}

}  // namespace

LiveMoments::LiveMoments(const profile::Profile& profile, const analyze::Report& report) {
  if (!report.merged.memory.recorded) return;
  std::vector<uint64_t> ends_ns;
  for (const analyze::ProcessReport& process : report.processes)
    ends_ns.push_back(process.start_ns + process.view.elapsed_ns);
  const MemoryHistory history(profile, ends_ns);
  for (uint32_t i = 0; i < profile.processes.size(); ++i) {
    const format::ProcessId id(i);
    Append(peak, FindPeak(profile, history, id).parts);
    const format::MemorySurvivors* survivors = history.SurvivorsOf(id);
    if (survivors == nullptr) {
      Append(left, FindEnd(profile, history, id).parts);
      continue;
    }
    // Only these know types of objects.
    std::ranges::copy_if(survivors->parts, std::back_inserter(left), [](const LiveMemory& part) {
      return part.kind != format::MemoryKind::kCopied;
    });
  }
}

}  // namespace pyrometer::export_
