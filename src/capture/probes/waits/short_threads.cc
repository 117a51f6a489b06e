// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/waits/short_threads.h"

#include <algorithm>
#include <utility>

namespace pyrometer::capture {
namespace {

// A program may start threads faster than they can be met.
constexpr size_t kMaxUnmet = 65536;
constexpr size_t kMaxCredits = 256;

}  // namespace

void ShortThreads::AddMet(format::ThreadId thread, const WaitSpan& span, uint64_t period_ns) {
  if (span.ns == 0) return;
  placed_.push_back({thread, span});
  last_met_ = span.wait;
  if (span.ns < period_ns) credits_.push_back({span.wait, period_ns - span.ns});
  if (credits_.size() > kMaxCredits) credits_.pop_front();
  Match();
}

void ShortThreads::AddUnmet(format::ThreadId thread, const WaitSpan& span) {
  if (span.ns == 0) return;
  if (unmet_.size() < kMaxUnmet)
    unmet_.push_back({thread, span});
  else
    unmet_.back().span.ns += span.ns;  // too many to keep apart
  Match();
}

void ShortThreads::Match() {
  while (!unmet_.empty() && !credits_.empty()) {
    WaitSpan& span = unmet_.front().span;
    Credit& credit = credits_.front();
    const uint64_t ns = std::min(span.ns, credit.ns);
    // The parts of one wait follow each other in time.
    placed_.push_back({unmet_.front().thread, {credit.wait, span.end_ns - (span.ns - ns), ns, 1}});
    span.ns -= ns;
    credit.ns -= ns;
    if (credit.ns == 0) credits_.pop_front();
    if (span.ns == 0) {
      unmet_.pop_front();
      if (old_ != 0) --old_;
    }
  }
}

std::vector<ShortThreads::Placed> ShortThreads::Take() { return std::exchange(placed_, {}); }

std::vector<ShortThreads::Placed> ShortThreads::TakeOld() {
  for (; old_ != 0; --old_) {
    Placed& oldest = unmet_.front();
    if (last_met_) oldest.span.wait = *last_met_;
    placed_.push_back(oldest);
    unmet_.pop_front();
  }
  old_ = unmet_.size();
  return Take();
}

std::vector<ShortThreads::Placed> ShortThreads::TakeAll() {
  old_ = unmet_.size();
  return TakeOld();
}

}  // namespace pyrometer::capture
