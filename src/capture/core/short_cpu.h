// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace pyrometer::capture {

// CPU time of threads that used less than the time between two samples. Most of them end without
// one; those that have one stand for them. Who uses a part of a period has a sample with that
// probability, so that one is worth a period; where ticks follow the turns of threads, as on a busy
// machine, they meet more or fewer. But each thread tells at its end what it has used: what samples
// were worth too much or too little is made up for by the next ones, a little by each, because
// shares are best known from samples of nearly the same weight.
//
// Pure. Thread-safety: one owner.
class ShortCpu {
 public:
  // A thread has ended without a sample.
  void AddUnsampled(uint64_t cpu_ns) { owed_ns_ += static_cast<int64_t>(cpu_ns); }

  // A thread has ended with one, which would be worth `period_ns` by chance alone: what it is
  // worth.
  uint64_t Weigh(uint64_t cpu_ns, uint64_t period_ns) {
    owed_ns_ += static_cast<int64_t>(cpu_ns);
    const auto period = static_cast<int64_t>(period_ns);
    const int64_t weight =
        std::max(static_cast<int64_t>(cpu_ns), period + (owed_ns_ - period) / kSamples);
    owed_ns_ -= weight;
    return static_cast<uint64_t>(weight);
  }

 private:
  static constexpr int64_t kSamples = 8;  // over how many a difference is spread

  int64_t owed_ns_ = 0;
};

}  // namespace pyrometer::capture
