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

void Breakdown::Add(const Breakdown& other) {
  // Most have one or two: what is not there is not touched here, either.
  for (size_t i = 0; i < by_activity.size(); ++i)
    if (other.by_activity[i].samples != 0 || other.by_activity[i].ns != 0)
      by_activity[i].Add(other.by_activity[i]);
  cpu.Add(other.cpu);
  wait.Add(other.wait);
  main_wait_ns += other.main_wait_ns;
  gc_ns += other.gc_ns;
  import_ns += other.import_ns;
  worker_ns += other.worker_ns;
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
