// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "capture/probes/waits/wait_account.h"
#include "format/records.h"

namespace pyrometer::capture {

// Waits of threads that live for less than the time between two polls. How long each was
// blocked is known from its own clocks; where, only of those that a poll has met. Chance
// decides which: one that is blocked for a third of the period is met by one poll in
// three. So one that was met stands for a whole period of such waits, its own and as much
// as is missing of others that were not met. In the long run each place gets its share, at
// any time the sum is exact, and each wait stays with its thread and its moment.
//
// Pure: knows no process. Thread-safety: one owner.
class ShortThreads {
 public:
  struct Placed {
    format::ThreadId thread;
    WaitSpan span;
  };

  // A thread has ended that was blocked for `span` in all, at the place where a poll has met
  // it. Polls came every `period_ns` then.
  void AddMet(format::ThreadId thread, const WaitSpan& span, uint64_t period_ns);
  // The same for one that no poll has met; the place is where it counts if nothing better
  // will be known.
  void AddUnmet(format::ThreadId thread, const WaitSpan& span);
  // What has its place by now.
  std::vector<Placed> Take();
  // The same, with what has had no place since the call before this one. It goes to where such
  // threads were met last; where none ever was, it stays what it came as.
  std::vector<Placed> TakeOld();
  // The same with all that there is.
  std::vector<Placed> TakeAll();

 private:
  struct Credit {
    Wait wait;
    uint64_t ns;
  };

  void Match();

  std::deque<Placed> unmet_;
  size_t old_ = 0;  // of unmet_, from before the last TakeOld()
  std::deque<Credit> credits_;
  std::optional<Wait> last_met_;
  std::vector<Placed> placed_;
};

}  // namespace pyrometer::capture
