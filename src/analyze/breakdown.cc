// SPDX-License-Identifier: Apache-2.0
#include "analyze/breakdown.h"

#include "analyze/interval.h"

namespace pyrometer::analyze {
namespace {

constexpr double kSecondsPerNs = 1e-9;

void SetInterval(Amount& part, const Amount& whole) {
  const Interval interval = ShareInterval({static_cast<double>(part.ns), part.squares},
                                          {static_cast<double>(whole.ns), whole.squares});
  part.low_seconds = interval.low * kSecondsPerNs;
  part.high_seconds = interval.high * kSecondsPerNs;
}

}  // namespace

void Amount::AddSample(uint64_t weight_ns, uint32_t count) {
  const double weight = static_cast<double>(weight_ns);
  ns += weight_ns;
  samples += count;
  // A merged sample is `count` observations of equal weight.
  squares += weight * weight / (count == 0 ? 1 : count);
}

void Amount::Add(const Amount& other) {
  ns += other.ns;
  samples += other.samples;
  squares += other.squares;
}

void Breakdown::AddSample(format::Activity activity, uint64_t weight_ns, uint32_t count,
                          bool main_thread) {
  by_activity[static_cast<size_t>(activity)].AddSample(weight_ns, count);
  if (format::IsOnCpu(activity)) {
    cpu.AddSample(weight_ns, count);
  } else {
    wait.AddSample(weight_ns, count);
    if (main_thread) main_wait_ns += weight_ns;
  }
}

void Breakdown::Add(const Breakdown& other) {
  for (size_t i = 0; i < by_activity.size(); ++i) by_activity[i].Add(other.by_activity[i]);
  cpu.Add(other.cpu);
  wait.Add(other.wait);
  main_wait_ns += other.main_wait_ns;
  gc_ns += other.gc_ns;
  import_ns += other.import_ns;
  await_ns += other.await_ns;
}

void SetIntervals(Breakdown& part, const Breakdown& whole) {
  const Amount cpu = whole.cpu;  // copies: `part` may be `whole`
  const Amount wait = whole.wait;
  for (size_t i = 0; i < part.by_activity.size(); ++i) {
    SetInterval(part.by_activity[i], format::IsOnCpu(format::Activity(i)) ? cpu : wait);
  }
  SetInterval(part.cpu, cpu);
  SetInterval(part.wait, wait);
}

}  // namespace pyrometer::analyze
