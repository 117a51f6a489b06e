// SPDX-License-Identifier: Apache-2.0
#include "capture/core/cpu_samples.h"

#include <algorithm>

#include "capture/core/sample_period.h"

namespace pyrometer::capture {

CpuSamples::CpuSamples(const Target& target, const base::RecordOptions& options,
                       format::CaptureWriter& writer)
    : target_(target), options_(options), writer_(writer) {}

uint64_t CpuSamples::FirstPeriodNs() const {
  return target_.agent() != nullptr ? target_.agent()->first_sample_ns : 0;
}

// A sample stands for the thread's CPU time since its last one, so nothing is
// lost when signals come late or merge. The first one stands for a period at least:
// what a thread does first is met as seldom as anything that is as short.
uint64_t CpuSamples::Weigh(ThreadCapture& thread, const transport::SampleRecord& sample) {
  const uint64_t since = sample.cpu_ns > thread.cpu_ns ? sample.cpu_ns - thread.cpu_ns : 0;
  const uint64_t period = FirstPeriodNs();
  const bool first = thread.samples++ == 0;
  thread.cpu_ns = sample.cpu_ns;
  if ((sample.flags & transport::kFromPerf) != 0) return PerfPeriodNs(options_);
  if ((sample.flags & transport::kBaseline) != 0) return std::min(since, period);
  if (options_.clock == base::Clock::kPerf) return first ? period : sample.interval_ns;
  if (!first || since >= period) return since;
  thread.surplus_ns = period - since;
  return period;
}

void CpuSamples::Add(ThreadCapture& thread, const format::Sample& sample) {
  if (const auto oldest = thread.held.Add(sample)) writer_.AddSample(*oldest);
}

void CpuSamples::WriteHeld(ThreadCapture& thread, uint64_t unsampled_ns) {
  thread.held.Spread(static_cast<int64_t>(unsampled_ns) - static_cast<int64_t>(thread.surplus_ns));
  thread.surplus_ns = 0;
  for (const format::Sample& sample : thread.held.TakeAll()) writer_.AddSample(sample);
}

void CpuSamples::End(ThreadCapture& thread, uint64_t cpu_ns) {
  if (!options_.cpu || options_.clock == base::Clock::kPerf) return WriteHeld(thread, 0);
  const bool was_off = target_.recording() != transport::RecordingState::kOn ||
                       (!thread.held.empty() && thread.held.newest().time_ns < resumed_ns_);
  if (was_off) return WriteHeld(thread, 0);
  const uint64_t used = cpu_ns - std::min(cpu_ns, thread.start_cpu_ns);
  const uint64_t period = FirstPeriodNs();
  if (thread.samples == 0) {
    if (used < 2 * period) short_cpu_.AddUnsampled(used);
  } else if (thread.samples == 1 && thread.held.size() == 1 && used < period) {
    thread.held.Weigh(short_cpu_.Weigh(used, period));
    thread.surplus_ns = 0;
    WriteHeld(thread, 0);
  } else {
    WriteHeld(thread, cpu_ns - std::min(cpu_ns, thread.cpu_ns));
  }
}

}  // namespace pyrometer::capture
