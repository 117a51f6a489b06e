// SPDX-License-Identifier: Apache-2.0
#include "import/core/call_track.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace pyrometer::import_ {

// Goes through calls in the order of their beginnings.
class CallTrack::Sweep {
 public:
  Sweep(ProfileMaker& maker, format::ThreadId thread, int64_t zero_ns)
      : maker_(maker), thread_(thread), zero_ns_(zero_ns), now_ns_(zero_ns) {}

  void Take(const Call& next) {
    while (!rests_.empty() && rests_.top().call < next) TakeRest();
    Open(next, 0);
  }
  void Finish() {
    while (!rests_.empty()) TakeRest();
    CloseUntil(std::numeric_limits<int64_t>::max());
    if (trimmed_ > 0)
      maker_.AddNote("calls that end up to 1 us after their callers are taken to end with them");
    if (cut_ > 0)
      maker_.AddNote("calls overlap without one being in the other: those were cut in two");
    if (lost_ > 0) maker_.AddLoss("rests of calls that overlap with many others", lost_);
  }

 private:
  struct OpenCall {
    int64_t end_ns;
    format::StackId stack;
  };
  struct Rest {
    Call call;
    uint32_t cuts;
    bool operator<(const Rest& other) const { return other.call < call; }  // first on top
  };

  void TakeRest() {
    const Rest rest = rests_.top();
    rests_.pop();
    Open(rest.call, rest.cuts);
  }

  void Open(Call call, uint32_t cuts) {
    CloseUntil(call.begin_ns);
    SpendUntil(call.begin_ns);
    format::StackId caller = format::kEmptyStack;
    if (!open_.empty()) {
      const int64_t limit_ns = open_.back().end_ns;
      if (call.end_ns > limit_ns) Cut(call, limit_ns, cuts);
      caller = open_.back().stack;
    }
    if (call.end_ns == call.begin_ns) return;
    open_.push_back({call.end_ns, maker_.Stack(caller, format::FrameId(call.frame))});
  }

  void Cut(Call& call, int64_t at_ns, uint32_t cuts) {
    if (call.end_ns - at_ns <= kSlackNs) {
      ++trimmed_;
    } else if (cuts == kMaxCuts) {
      ++lost_;
    } else {
      ++cut_;
      rests_.push({{at_ns, call.end_ns, call.frame, call.order}, cuts + 1});
    }
    call.end_ns = at_ns;
  }

  void CloseUntil(int64_t at_ns) {
    while (!open_.empty() && open_.back().end_ns <= at_ns) {
      SpendUntil(open_.back().end_ns);
      open_.pop_back();
    }
  }

  // Time goes on; whoever was called last gets it.
  void SpendUntil(int64_t at_ns) {
    if (!open_.empty() && at_ns > now_ns_)
      maker_.AddTime(thread_, open_.back().stack,
                     {.weight_ns = static_cast<uint64_t>(at_ns - now_ns_),
                      .time_ns = static_cast<uint64_t>(at_ns - zero_ns_)});
    now_ns_ = std::max(now_ns_, at_ns);
  }

  ProfileMaker& maker_;
  const format::ThreadId thread_;
  const int64_t zero_ns_;
  int64_t now_ns_;
  std::vector<OpenCall> open_;  // outermost first
  std::priority_queue<Rest> rests_;
  uint64_t trimmed_ = 0, cut_ = 0, lost_ = 0;
};

void CallTrack::Add(int64_t begin_ns, int64_t end_ns, format::FrameId frame) {
  const Call call{begin_ns, end_ns, frame.value, static_cast<uint32_t>(calls_.size())};
  if (!calls_.empty() && call < calls_.back()) calls_sorted_ = false;
  calls_.push_back(call);
}

void CallTrack::Begin(int64_t at_ns, format::FrameId frame) {
  if (!marks_.empty() && at_ns < marks_.back().at_ns) marks_sorted_ = false;
  marks_.push_back({at_ns, frame.value, true});
}

void CallTrack::End(int64_t at_ns) {
  if (!marks_.empty() && at_ns < marks_.back().at_ns) marks_sorted_ = false;
  marks_.push_back({at_ns, 0, false});
}

void CallTrack::MatchMarks(ProfileMaker& maker) {
  if (!marks_sorted_) std::ranges::stable_sort(marks_, {}, &Mark::at_ns);
  std::vector<size_t> open;  // in calls_
  uint64_t ends_without = 0;
  for (const Mark& mark : marks_) {
    if (mark.begins) {
      open.push_back(calls_.size());
      Add(mark.at_ns, marks_.back().at_ns, format::FrameId(mark.frame));
    } else if (open.empty()) {
      ++ends_without;
    } else {
      calls_[open.back()].end_ns = mark.at_ns;
      open.pop_back();
    }
  }
  calls_sorted_ = false;
  if (ends_without > 0) maker.AddLoss("ends of calls that have not begun", ends_without);
  if (!open.empty()) maker.AddLoss("calls without an end", open.size());
  marks_ = {};
}

void CallTrack::Write(ProfileMaker& maker, format::ThreadId thread, int64_t zero_ns) {
  if (!marks_.empty()) MatchMarks(maker);
  if (!calls_sorted_) std::ranges::sort(calls_, std::less<>());
  Sweep sweep(maker, thread, zero_ns);
  for (const Call& call : calls_) sweep.Take(call);
  sweep.Finish();
  calls_ = {};
}

}  // namespace pyrometer::import_
