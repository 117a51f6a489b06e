// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
// Lives in the ThreadRecord; signal-safety: safe.
class TickPace {
 public:
  enum class Tick : uint8_t {
    kSample,        // take one
    kBeforeSample,  // take none, but remember the accounts: the next tick may have one
    kNone,
  };

  // What the kernel's timers can do.
  static constexpr uint64_t kTickNs = 1'000'000'000 / base::RecordOptions::kFirstRate;

  // What to ask of the timer: a little less than a tick, or every other tick would
  // come just too early.
  static constexpr uint64_t TimerNs(const base::RecordOptions& options) {
    const uint64_t period = Period(options, 0);
    return (period < kTickNs ? period : kTickNs) * 9 / 10;
  }

  // A thread begins at `cpu_ns` of its clock. Its first sample comes at any of the ticks of
  // a period, as `random` has it: then a thread that lives for less is hit as often
  // as its share of the time demands.
  void Begin(uint64_t cpu_ns, uint64_t random, const base::RecordOptions& options) {
    const uint64_t ticks = (Period(options, cpu_ns) + kTickNs / 2) / kTickNs;
    due_ns_ = cpu_ns + (ticks > 1 ? random % ticks : 0) * kTickNs + kTickNs / 2;
  }

  // The tick at `cpu_ns` of the thread's CPU clock.
  Tick At(uint64_t cpu_ns, const base::RecordOptions& options) {
    if (cpu_ns + kTickNs / 2 < due_ns_)
      return cpu_ns + 2 * kTickNs < due_ns_ ? Tick::kNone : Tick::kBeforeSample;
    due_ns_ = cpu_ns + Period(options, cpu_ns);
    return Tick::kSample;
  }

 private:
  static constexpr uint64_t kSecondNs = 1'000'000'000;

  static constexpr uint64_t Period(const base::RecordOptions& options, uint64_t cpu_ns) {
    using base::RecordOptions;
    // The ticks are then there for the kernel's time alone, and each counts.
    if (options.clock == base::Clock::kPerf) return kTickNs;
    if (options.rate_hz != 0) return kSecondNs / options.rate_hz;
    return kSecondNs / (cpu_ns < kSecondNs ? RecordOptions::kFirstRate : RecordOptions::kLaterRate);
  }

  uint64_t due_ns_;  // on the thread's CPU clock
};

}  // namespace pyrometer::agent
