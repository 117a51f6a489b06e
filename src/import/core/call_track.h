// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// The calls of one thread, known by when they began and ended, in any order. What is inside
// of another call was called by it; all time that a call spent itself, and not in
// calls of its own, becomes a sample.
//
// Calls that overlap without one being inside of the other are cut in two, where the other
// one ends, so that no time is lost.
//
// Thread-safety: none; one owner.
class CallTrack {
 public:
  // What clocks disagree about: a call that ends by so little after its caller ended with it.
  static constexpr int64_t kSlackNs = 1000;
  // A call that overlaps with more others than that loses its rest.
  static constexpr uint32_t kMaxCuts = 32;

  void Add(int64_t begin_ns, int64_t end_ns, format::FrameId frame);
  // An end belongs to the last call that began before it and has not ended.
  void Begin(int64_t at_ns, format::FrameId frame);
  void End(int64_t at_ns);

  // What each of the above takes in memory.
  static constexpr size_t kCallBytes = 24;
  size_t size() const { return calls_.size() + marks_.size(); }

  // Gives `maker` the samples of `thread`; `zero_ns` is the time that becomes 0. Call once.
  void Write(ProfileMaker& maker, format::ThreadId thread, int64_t zero_ns);

 private:
  struct Call {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t frame;
    uint32_t order;  // among those that began and ended together, the outer one is first

    // Callers come before what they call.
    bool operator<(const Call& other) const {
      if (begin_ns != other.begin_ns) return begin_ns < other.begin_ns;
      if (end_ns != other.end_ns) return end_ns > other.end_ns;
      return order < other.order;
    }
  };
  struct Mark {
    int64_t at_ns;
    uint32_t frame;
    bool begins;
  };
  class Sweep;

  void MatchMarks(ProfileMaker& maker);

  std::vector<Call> calls_;
  std::vector<Mark> marks_;
  bool calls_sorted_ = true;
  bool marks_sorted_ = true;
};

}  // namespace pyrometer::import_
