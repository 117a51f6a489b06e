// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/names/name_probe.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace pyrometer::capture {

NameProbe::NameProbe(const ProbeContext& context)
    : target_(context.target), reader_(target_.pid(), target_.runtime(), target_.layout()) {}

void NameProbe::ThreadStarted(const ThreadCapture& /*thread*/) {
  due_ns_ = std::min(due_ns_, again_ns_);
}

void NameProbe::ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) {
  if (auto known = names_.extract(thread.tid); known && !known.mapped().empty())
    exit.name = std::move(known.mapped());
}

bool NameProbe::Poll(uint64_t now_ns, PollBudget& /*budget*/) {
  if (target_.threads().size() < 2 || now_ns < due_ns_) return true;
  constexpr uint64_t kPeriodNs = 1'000'000'000;
  // A new thread gets its name when it has the GIL for the first time.
  constexpr uint64_t kNewNs = 1'000'000'000;
  constexpr uint64_t kRetryNs = 20'000'000;
  // Names may cost this part of the time.
  constexpr uint64_t kMostCost = 200;
  const uint64_t begin = base::NowNs(CLOCK_THREAD_CPUTIME_ID);
  uint64_t period = kPeriodNs;
  const std::map<uint64_t, std::string> names = reader_.Read(target_.threads().size(), now_ns);
  for (const auto& [tid, thread] : target_.threads()) {
    if (const auto it = names.find(thread.pthread); it != names.end())
      names_[tid] = it->second;
    else if (now_ns < thread.start_ns + kNewNs)
      period = kRetryNs;
  }
  const uint64_t took = base::NowNs(CLOCK_THREAD_CPUTIME_ID) - begin;
  due_ns_ = now_ns + std::max(period, took * kMostCost);
  again_ns_ = now_ns + std::max(kRetryNs, took * kMostCost);
  return true;
}

}  // namespace pyrometer::capture
