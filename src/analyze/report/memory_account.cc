// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/memory_account.h"

#include <algorithm>

namespace pyrometer::analyze {
namespace {

// The part of the timeline that a time falls into.
size_t PointAt(uint64_t time_ns, const Span& span) {
  if (time_ns <= span.begin) return 0;
  const double share =
      static_cast<double>(time_ns - span.begin) / static_cast<double>(span.length());
  return std::min(kTimelinePoints - 1,
                  static_cast<size_t>(share * static_cast<double>(kTimelinePoints)));
}

}  // namespace

void MemoryAccount::Hold(uint64_t until_ns, const Span& span) {
  const uint64_t begin = std::clamp(since_ns_, span.begin, std::max(span.begin, span.end));
  const uint64_t end = std::clamp(until_ns, begin, std::max(begin, span.end));
  byte_ns_ += static_cast<double>(held_) * static_cast<double>(end - begin);
  if (!with_timeline_ || held_ == 0 || span.length() == 0) return;
  stats_->timeline.resize(kTimelinePoints);
  for (size_t i = PointAt(begin, span); i <= PointAt(end, span); ++i)
    stats_->timeline[i] = std::max(stats_->timeline[i], held_);
}

void MemoryAccount::Settle(uint64_t time_ns, const Span& span) {
  Hold(time_ns, span);
  held_ = live_;
  since_ns_ = time_ns;
  moved_ = false;
  SawHigh(live_);
}

void MemoryAccount::Close(const Span& span) {
  Hold(span.end, span);
  SawHigh(stats_->at_peak.bytes());
  stats_->own_peak_bytes = high_;
  if (span.length() != 0)
    stats_->average_bytes = WholeBytes(byte_ns_ / static_cast<double>(span.length()) + 0.5);
}

}  // namespace pyrometer::analyze
