// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "analyze/stats/interval.h"
#include "format/records.h"
#include "metric/values.h"

namespace pyrometer::analyze {

// How much of something there is, and how well it is known.
struct Amount {
  uint64_t ns = 0;       // exact sum of the samples' weights
  uint64_t samples = 0;  // observations behind it
  double squares = 0;    // sum of squared weights (ns^2), for the interval

  double seconds() const { return static_cast<double>(ns) * 1e-9; }
  // Adds one sample of weight `weight_ns` that merges `count` observations.
  void AddSample(uint64_t weight_ns, uint32_t count) {
    const double weight = static_cast<double>(weight_ns);
    ns += weight_ns;
    samples += count;
    // A merged sample is `count` observations of equal weight.
    squares += count <= 1 ? weight * weight : weight * weight / count;
  }
  void Add(const Amount& other) {
    ns += other.ns;
    samples += other.samples;
    squares += other.squares;
  }
  // The 95 % interval in seconds, as a share of `whole`: docs/internals/sampling-math.md.
  Interval SecondsOf(const Amount& whole) const;
};

// The time of one line, function, thread or process by what was being done.
//
// Invariants: wait of the main thread is at most all wait; garbage collection and workers are
// parts of CPU time; imports are a part of time.
class Breakdown {
 public:
  // What was recorded, or the sum that the metric is.
  Amount operator[](metric::Metric metric) const;
  Amount operator[](format::Activity activity) const { return values_[metric::Of(activity)]; }
  Amount cpu() const { return (*this)[metric::Metric::kCpu]; }
  Amount wait() const { return (*this)[metric::Metric::kWait]; }
  uint64_t samples() const { return (*this)[metric::Metric::kWall].samples; }
  // What ranking goes by: CPU time of all threads and waits of the thread that the user sits
  // through: the main one of the process, or of the first process in a merged view. Waits of
  // idle workers are real but say nothing about where the run's time went.
  uint64_t time_ns() const { return (*this)[metric::Metric::kTime].ns; }
  uint64_t main_wait_ns() const { return values_[metric::Metric::kMainWait].ns; }
  uint64_t gc_ns() const { return values_[metric::Metric::kGc].ns; }
  uint64_t import_ns() const { return values_[metric::Metric::kImport].ns; }
  // CPU time in threads and processes that work for it.
  uint64_t worker_ns() const { return values_[metric::Metric::kWorker].ns; }
  // Time that tasks did not run because they await something here. No thread
  // spends it: it is in no sum.
  uint64_t await_ns() const { return values_[metric::Metric::kAwait].ns; }
  bool empty() const { return values_.empty(); }
  // Time of any kind, not only what the recording declares.
  bool has_time() const { return (values_.mask() & metric::kKnown) != 0; }

  void AddSample(format::Activity activity, uint64_t weight_ns, uint32_t count, bool main_thread) {
    values_.At(metric::Of(activity)).AddSample(weight_ns, count);
    if (main_thread && !format::IsOnCpu(activity))
      values_.At(metric::Metric::kMainWait).AddSample(weight_ns, count);
  }
  // REQUIRES: the metric is a recorded one.
  void Add(metric::Metric metric, const Amount& amount) { values_.At(metric).Add(amount); }
  void Add(const Breakdown& other) { values_.Add(other.values_); }
  // Keeps its memory.
  void Clear() { values_.Clear(); }

 private:
  metric::Values<Amount> values_;
};

}  // namespace pyrometer::analyze
