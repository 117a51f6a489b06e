// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/waits/wait_account.h"

#include <algorithm>
#include <utility>

namespace pyrometer::capture {
namespace {

// Spans are handed out at least this often.
constexpr uint64_t kMaxOpenNs = 1'000'000'000;
// A thread that wakes up only to wait on at the same place (a poll, the GIL's time-outs)
// has one span, as long as that moves its begin by no more than this.
constexpr uint64_t kMaxSlackNs = 5'000'000;
// How far the counters of a running thread may lag: a tick at 100 Hz.
constexpr uint64_t kMaxLagNs = 10'000'000;
constexpr size_t kMaxUnplaced = 128;

}  // namespace

void WaitAccount::Stay(uint64_t now_ns, WaitSpans* spans) {
  const uint64_t elapsed = now_ns - polled_ns_;
  polled_ns_ = now_ns;
  first_ = false;
  still_ns_ += elapsed;
  open_->end_ns = now_ns;
  open_->ns += elapsed;
  ++open_->count;
  if (open_->ns >= kMaxOpenNs) Flush(spans);
}

void WaitAccount::OnCpu(uint64_t time_ns) {
  if (time_ns <= polled_ns_) return;
  if (!first_cpu_ns_) first_cpu_ns_ = time_ns;
  last_cpu_ns_ = time_ns;
}

void WaitAccount::Move(uint64_t now_ns, uint64_t busy_ns, const std::optional<Wait>& found,
                       WaitSpans* spans) {
  const uint64_t begin_ns = polled_ns_;
  const uint64_t blocked = BlockedNs(now_ns, busy_ns);
  polled_ns_ = now_ns;
  still_ns_ = 0;
  // Before it was seen on a CPU the one wait has ended, and behind that the other has begun.
  const uint64_t most_there = (first_cpu_ns_ ? *first_cpu_ns_ - 1 : now_ns) - begin_ns;
  const uint64_t most_here = first_cpu_ns_ ? now_ns - std::min(last_cpu_ns_, now_ns) : most_there;
  first_cpu_ns_.reset();
  if (open_ && found && open_->wait == *found && slack_ns_ + busy_ns <= kMaxSlackNs) {
    slack_ns_ += busy_ns;
    open_->end_ns = now_ns;
    open_->ns += blocked;
    ++open_->count;
    if (open_->ns >= kMaxOpenNs) Flush(spans);
    return;
  }
  uint64_t left = blocked;
  if (open_) {
    const uint64_t there = std::min(found ? blocked - blocked / 2 : blocked, most_there);
    open_->end_ns = begin_ns + there;
    open_->ns += there;
    Close(spans);
    left -= there;
  }
  if (!found) return AddUnplaced(now_ns, left);
  uint64_t here = std::min(left, most_here);
  AddUnplaced(now_ns - here, left - here);
  // The counters of a thread that was running at the last poll lagged; now they do not. What
  // they had too little then looks like a wait, and is missing in this one.
  const uint64_t lag = std::min(kMaxLagNs, most_here - here);
  here += lag - TakeBack(lag);
  PlaceAt(*found, spans);
  Open(*found, now_ns, here);
}

void WaitAccount::End(uint64_t now_ns, std::optional<uint64_t> busy_ns, const Wait& unseen,
                      WaitSpans* spans) {
  if (busy_ns) {
    Move(now_ns, *busy_ns, std::nullopt, spans);
  } else if (!open_) {
    // What is left may be no more than the lag of a thread that ran to its end.
    TakeBack(kMaxLagNs);
  }
  Close(spans);
  PlaceAt(unseen, spans);
}

void WaitAccount::Flush(WaitSpans* spans) {
  if (!open_ || open_->ns == 0) return;
  spans->push_back(*open_);
  slack_ns_ = 0;
  open_->ns = 0;
  open_->count = 0;
}

void WaitAccount::Skip(uint64_t now_ns, WaitSpans* spans) {
  Close(spans);
  unplaced_.clear();
  lag_ns_ = 0;
  polled_ns_ = now_ns;
}

uint64_t WaitAccount::BlockedNs(uint64_t now_ns, uint64_t busy_ns) {
  const uint64_t elapsed = now_ns - polled_ns_;
  const bool first = std::exchange(first_, false);
  if (busy_ns <= elapsed) {
    const uint64_t blocked = elapsed - busy_ns;
    const uint64_t back = std::min(lag_ns_, blocked);
    lag_ns_ -= back;
    return blocked - back;
  }
  // A new thread has waited for its first CPU before it could say that it began.
  if (first) return 0;
  lag_ns_ = std::min(lag_ns_ + TakeBack(busy_ns - elapsed), kMaxLagNs);
  return 0;
}

uint64_t WaitAccount::TakeBack(uint64_t ns) {
  while (ns != 0 && !unplaced_.empty()) {
    const uint64_t part = std::min(ns, unplaced_.back().ns);
    ns -= part;
    unplaced_.back().ns -= part;
    if (unplaced_.back().ns == 0) unplaced_.pop_back();
  }
  return ns;
}

void WaitAccount::AddUnplaced(uint64_t end_ns, uint64_t ns) {
  if (ns == 0) return;
  if (unplaced_.size() == kMaxUnplaced) {
    // It has not been found blocked for more than a second: coarser from here on.
    for (size_t i = 0; i < kMaxUnplaced / 2; ++i)
      unplaced_[i] = {unplaced_[2 * i + 1].end_ns, unplaced_[2 * i].ns + unplaced_[2 * i + 1].ns};
    unplaced_.resize(kMaxUnplaced / 2);
  }
  unplaced_.push_back({end_ns, ns});
}

void WaitAccount::PlaceAt(const Wait& wait, WaitSpans* spans) {
  for (const Unplaced& part : unplaced_) spans->push_back({wait, part.end_ns, part.ns, 1});
  unplaced_.clear();
}

void WaitAccount::Open(const Wait& wait, uint64_t now_ns, uint64_t ns) {
  open_ = WaitSpan{wait, now_ns, ns, 1};
  slack_ns_ = 0;
}

void WaitAccount::Close(WaitSpans* spans) {
  if (open_ && open_->ns != 0) {
    open_->count = std::max(open_->count, 1u);
    spans->push_back(*open_);
  }
  open_.reset();
  still_ns_ = 0;
}

}  // namespace pyrometer::capture
