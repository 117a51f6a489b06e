// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "agent/core/clock.h"
#include "base/record_options.h"

namespace pyrometer::agent {

// At which of its ticks a thread takes a sample. Its timer expires at every tick
// even where samples are to be rarer: whether a tick was the kernel's shows in
// what the kernel has accounted for since the tick before, and in no longer time.
//
// A short run needs every sample; in a longer one each costs as much and tells less,
// so that the default slows down. A sample weighs the CPU time since the one before,
// so what was recorded at either pace adds up.
//
// A *beat* is the CPU time between two signals of a thread that runs all the time: a tick of
// the kernel, or several where it ticks faster than samples are wanted.
//
// Lives in the engine's part of the thread's record; signal-safety: safe.
class TickPace {
 public:
  enum class Tick : uint8_t {
    kSample,        // take one
    kBeforeSample,  // take none, but remember the accounts: the next tick may have one
    kNone,
  };

  // `tick_ns`: of this kernel.
  constexpr TickPace(const base::RecordOptions& options, uint64_t tick_ns)
      : options_(&options), tick_ns_(tick_ns) {}

  // What to ask of the timer. Where each tick counts, much less than a tick: a thread that
  // shares its CPU is met by ticks at any distance of its CPU time, and each must find that
  // the timer has run out, or such a thread has fewer signals than its time demands.
  constexpr uint64_t TimerNs() const {
    const uint64_t beat = BeatNs();
    return beat > tick_ns_ ? beat : tick_ns_ / 16;
  }

  // What the first sample of a thread stands for: the inverse of how likely one is, for each
  // second of its CPU time.
  constexpr uint64_t FirstSampleNs() const { return BeatsBeforeSample(0) * BeatNs(); }

  // A thread begins at `cpu_ns` of its clock. Its first sample comes at any of the ticks of
  // a period, as `random` has it: then a thread that lives for less is hit as often
  // as its share of the time demands. Returns when its timer is to expire first, in CPU time.
  uint64_t Begin(uint64_t cpu_ns, uint64_t random) {
    const uint64_t ticks = BeatNs() / tick_ns_;
    const uint64_t first = random % ticks * tick_ns_;
    due_ns_ = cpu_ns + first + random / ticks % BeatsBeforeSample(cpu_ns) * BeatNs() + BeatNs() / 2;
    return first + 1;
  }

  // The tick at `cpu_ns` of the thread's CPU clock.
  Tick At(uint64_t cpu_ns) {
    if (cpu_ns + BeatNs() / 2 < due_ns_)
      return cpu_ns + 2 * BeatNs() < due_ns_ ? Tick::kNone : Tick::kBeforeSample;
    due_ns_ = cpu_ns + PeriodNs(cpu_ns);
    return Tick::kSample;
  }

 private:
  static constexpr uint64_t kSecondNs = 1'000'000'000;

  constexpr uint64_t BeatNs() const {
    const uint64_t period = PeriodNs(0);
    const uint64_t beat = period < kLongestBeatNs ? period : kLongestBeatNs;
    return beat > tick_ns_ + tick_ns_ / 2 ? beat : tick_ns_;
  }

  constexpr uint64_t BeatsBeforeSample(uint64_t cpu_ns) const {
    const uint64_t beats = (PeriodNs(cpu_ns) + BeatNs() / 2) / BeatNs();
    return beats > 1 ? beats : 1;
  }

  constexpr uint64_t PeriodNs(uint64_t cpu_ns) const {
    using base::RecordOptions;
    // The ticks are then there for the kernel's time alone, and each counts.
    if (options_->clock == base::Clock::kPerf) return kLongestBeatNs;
    if (options_->rate_hz != 0) return kSecondNs / options_->rate_hz;
    return kSecondNs / (cpu_ns < kSecondNs ? RecordOptions::kFirstRate : RecordOptions::kLaterRate);
  }

  const base::RecordOptions* options_;
  uint64_t tick_ns_;
  uint64_t due_ns_ = 0;  // on the thread's CPU clock
};

}  // namespace pyrometer::agent
