// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/records.h"

namespace pyrometer::analyze {

// Time that samples stand for, and how well it is known.
struct Amount {
  uint64_t ns = 0;          // exact sum of the samples' weights
  uint64_t samples = 0;     // observations behind it
  double squares = 0;       // sum of squared weights (ns^2), for the interval
  double low_seconds = 0;   // 95 % interval, docs/internals/sampling-math.md;
  double high_seconds = 0;  // set by SetIntervals

  double seconds() const { return static_cast<double>(ns) * 1e-9; }
  // Adds one sample of weight `weight_ns` that merges `count` observations.
  void AddSample(uint64_t weight_ns, uint32_t count) {
    const double weight = static_cast<double>(weight_ns);
    ns += weight_ns;
    samples += count;
    // A merged sample is `count` observations of equal weight.
    squares += count <= 1 ? weight * weight : weight * weight / count;
  }
  // Adds ns, samples and squares; intervals are not additive and are left.
  void Add(const Amount& other) {
    ns += other.ns;
    samples += other.samples;
    squares += other.squares;
  }
};

// The time of one line, function, thread or process by what was being done.
//
// Invariants: cpu is the sum of the on-CPU activities and wait that of the
// others, to the nanosecond; main_wait_ns <= wait.ns; gc_ns <= cpu.ns;
// import_ns <= heat_ns(); worker_ns <= cpu.ns.
struct Breakdown {
  std::array<Amount, format::kActivityCount> by_activity;
  Amount cpu;
  Amount wait;
  // The part of `wait` in the thread that the user sits through: the main
  // thread of the process, or of the first process in a merged view. Waits of
  // idle workers are real but say nothing about where the run's time went.
  uint64_t main_wait_ns = 0;
  uint64_t gc_ns = 0;      // the part of `cpu` in garbage collection
  uint64_t import_ns = 0;  // the part of heat_ns() in imports
  uint64_t worker_ns = 0;  // the part of `cpu` in threads and processes that work for it
  // Time that tasks did not run because they await something here. No thread
  // spends it: it is in no other sum.
  uint64_t await_ns = 0;

  const Amount& operator[](format::Activity a) const { return by_activity[static_cast<size_t>(a)]; }
  uint64_t samples() const { return cpu.samples + wait.samples; }
  // What ranking goes by: CPU time of all threads and waits of the main one.
  uint64_t heat_ns() const { return cpu.ns + main_wait_ns; }
  bool empty() const { return samples() == 0 && cpu.ns == 0 && wait.ns == 0 && await_ns == 0; }

  void AddSample(format::Activity activity, uint64_t weight_ns, uint32_t count, bool main_thread) {
    by_activity[static_cast<size_t>(activity)].AddSample(weight_ns, count);
    if (format::IsOnCpu(activity)) {
      cpu.AddSample(weight_ns, count);
    } else {
      wait.AddSample(weight_ns, count);
      if (main_thread) main_wait_ns += weight_ns;
    }
  }
  void Add(const Breakdown& other);
};

// Sets the intervals of `part`, which is a share of `whole`: on-CPU amounts
// against whole.cpu, waits against whole.wait. `part` may be `whole` itself.
void SetIntervals(Breakdown& part, const Breakdown& whole);

}  // namespace pyrometer::analyze
