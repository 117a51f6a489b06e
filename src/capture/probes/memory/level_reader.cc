// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/level_reader.h"

#include <time.h>

#include <algorithm>

#include "base/clock.h"

namespace pyrometer::capture {

bool LevelReader::Read(uint64_t now_ns, bool with_pss, format::MemoryLevel* level) {
  constexpr uint64_t kCheapNs = 5'000'000;
  constexpr uint64_t kPeakPeriodNs = 200'000'000;
  if (now_ns >= peak_due_ns_) {
    peak_resident_bytes_ = std::max(peak_resident_bytes_, os::ReadPeakResidentBytes(pid_));
    peak_due_ns_ = now_ns + kPeakPeriodNs;
  }
  level->rss_bytes = resident_.ReadBytes();
  if (level->rss_bytes == 0) return false;
  if (!with_pss && now_ns < pss_due_ns_) return true;
  const uint64_t begin_ns = base::NowNs(CLOCK_MONOTONIC);
  level->pss_bytes = os::ReadPssBytes(pid_);
  if (base::NowNs(CLOCK_MONOTONIC) - begin_ns > kCheapNs) pss_period_ns_ *= 2;
  pss_due_ns_ = now_ns + pss_period_ns_;
  return true;
}

}  // namespace pyrometer::capture
