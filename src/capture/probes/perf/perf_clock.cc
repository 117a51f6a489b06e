// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/perf/perf_clock.h"

#include <utility>

#include "capture/core/sample_period.h"
#include "os/perf_event.h"

namespace pyrometer::capture {

PerfClock::PerfClock(const ProbeContext& context)
    : agent_(*context.target.agent()), period_ns_(PerfPeriodNs(context.options)) {}

void PerfClock::ThreadStarted(const ThreadCapture& thread) {
  auto event = os::OpenPerfEvent(static_cast<pid_t>(thread.tid), period_ns_,
                                 static_cast<int>(agent_.signal_number));
  if (!event.ok()) {
    ++refused_;
    return;
  }
  // Events go away by exec, but this one may have been opened after it, on a
  // program that does not know our signal. The agent says so before it execs.
  if (agent_.state == transport::ProcessState::kReplaced) return;
  os::EnablePerfEvent(event.value());
  events_[thread.tid] = std::move(event).value();
}

void PerfClock::ThreadEnded(const ThreadCapture& thread, ThreadExit& /*exit*/) {
  events_.erase(thread.tid);
}

void PerfClock::Report(Counters& counters) const {
  counters.Count(metric::Counter::kPerfEventsRefused, refused_);
}

}  // namespace pyrometer::capture
