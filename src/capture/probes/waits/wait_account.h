// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/records.h"

namespace pyrometer::capture {

// Where and in what a thread is blocked.
struct Wait {
  format::StackId stack;
  format::Activity activity = format::Activity::kOtherWait;
  std::optional<format::ThreadId> gil_holder;  // who has the GIL that it waits for
  friend bool operator==(const Wait&, const Wait&) = default;
};

// A wait of `ns` that ended, or was still going on, at `end_ns`.
struct WaitSpan {
  Wait wait;
  uint64_t end_ns = 0;
  uint64_t ns = 0;
  uint32_t count = 1;  // polls that found the thread there
};
using WaitSpans = std::vector<WaitSpan>;

// Makes spans of the polls of one thread: each lies where it was in time, as far as the
// polls tell, and all together are the time that the thread was blocked, exactly.
//
// Between two polls the scheduler says how long the thread was on a CPU or waited for
// one. The rest it was blocked:
//  - where it is found blocked, up to the poll;
//  - where it was found blocked before, from the poll on;
//  - half and half when both hold: the border lies somewhere between the two polls;
//  - where the next poll finds it blocked, if neither holds. That time stays between the
//    polls in which it has passed.
//
// Pure: knows no process. Thread-safety: one owner.
class WaitAccount {
 public:
  // The thread began, or is known, from `now_ns` on.
  explicit WaitAccount(uint64_t now_ns) : polled_ns_(now_ns) {}

  // It has not moved since the last poll. REQUIRES: blocked().
  void Stay(uint64_t now_ns, WaitSpans* spans);
  // A sample of CPU time has found it on a CPU.
  void OnCpu(uint64_t time_ns);
  // It has moved: `busy_ns` of the time since the last poll it was on a CPU or waited for
  // one. `found`: where it is blocked now, if it is.
  void Move(uint64_t now_ns, uint64_t busy_ns, const std::optional<Wait>& found, WaitSpans* spans);
  // It has ended. `busy_ns` as before; empty: not known, so that nothing is known of the
  // time since the last poll. Time that no poll has met goes to `unseen`.
  void End(uint64_t now_ns, std::optional<uint64_t> busy_ns, const Wait& unseen, WaitSpans* spans);
  // What is known so far, so that it can be written.
  void Flush(WaitSpans* spans);
  // The time since the last poll does not count.
  void Skip(uint64_t now_ns, WaitSpans* spans);

  // Whether the last poll found it blocked, and where.
  bool blocked() const { return open_.has_value(); }
  const Wait& wait() const { return open_->wait; }
  // When the wait that goes on began, as far as it is not handed out yet.
  uint64_t begin_ns() const { return open_->end_ns - open_->ns; }
  // For how long it has not moved.
  uint64_t still_ns() const { return still_ns_; }
  uint64_t polled_ns() const { return polled_ns_; }

 private:
  // Blocked time between two polls that has no place yet.
  struct Unplaced {
    uint64_t end_ns;
    uint64_t ns;
  };

  // How much of the time since the last poll it was blocked, by the counters of the
  // scheduler. Those of a running thread lag by up to a tick; what they had too little is
  // taken back.
  uint64_t BlockedNs(uint64_t now_ns, uint64_t busy_ns);
  // Takes up to `ns` from the newest time without a place; returns what was not there.
  uint64_t TakeBack(uint64_t ns);
  void AddUnplaced(uint64_t end_ns, uint64_t ns);
  void PlaceAt(const Wait& wait, WaitSpans* spans);
  void Open(const Wait& wait, uint64_t now_ns, uint64_t ns);
  void Close(WaitSpans* spans);

  uint64_t polled_ns_;
  // The first and the last time since then that it was seen on a CPU; empty: it was not.
  std::optional<uint64_t> first_cpu_ns_;
  uint64_t last_cpu_ns_ = 0;
  bool first_ = true;
  uint64_t lag_ns_ = 0;
  std::optional<WaitSpan> open_;
  uint64_t slack_ns_ = 0;  // in the open span, time that it was busy after all
  uint64_t still_ns_ = 0;
  std::vector<Unplaced> unplaced_;
};

}  // namespace pyrometer::capture
