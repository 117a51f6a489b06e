// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/cpu_balance.h"

#include <algorithm>
#include <optional>
#include <set>

namespace pyrometer::analyze {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
// What may be missing at the beginning and the end of each: a process begins before its
// recording does, and ends after its last sample.
constexpr uint64_t kPerProcessNs = 10 * kMillisecond;
constexpr uint64_t kPerRunNs = 30 * kMillisecond;
constexpr uint64_t kPerThreadNs = 20 * kMillisecond;
constexpr uint64_t kShare = 50;  // 2 %

// A fact of the run; empty where it is missing, or where several runs were merged.
std::optional<uint64_t> FactOfRun(const profile::Profile& profile, metric::Counter counter) {
  std::optional<uint64_t> value;
  std::set<format::ProcessId> processes;
  for (const profile::Counter& one : profile.counters) {
    if (!one.Is(counter)) continue;
    processes.insert(one.process);
    value = one.value;
  }
  return processes.size() == 1 ? value : std::nullopt;
}

struct Recorded {
  uint64_t cpu_ns = 0;  // of processes that ended with the program or before
  uint64_t impossible_ns = 0;
  size_t processes = 0;
  std::set<uint64_t> pids;
};

Recorded AddUp(const profile::Profile& profile, uint64_t program_end_ns) {
  Recorded sum;
  const auto ended = [&](const profile::Process& process) {
    return process.end && process.end->end_ns <= program_end_ns;
  };
  for (const profile::Process& process : profile.processes) {
    if (!ended(process)) continue;
    ++sum.processes;
    sum.pids.insert(process.info.pid);
  }
  for (const profile::Thread& thread : profile.threads) {
    if (!thread.end) continue;
    const uint64_t cpu = thread.end->cpu_ns;
    const uint64_t start = thread.info.start_ns, end = thread.end->end_ns;
    const uint64_t life = end > start ? end - start : 0;
    if (cpu > life + std::max(life / kShare, kPerThreadNs)) sum.impossible_ns += cpu - life;
    if (ended(profile.processes[thread.info.process.value])) sum.cpu_ns += cpu;
  }
  return sum;
}

}  // namespace

void CheckCpuBalance(const profile::Profile& profile, Report& report) {
  const auto program = FactOfRun(profile, metric::Counter::kProgramCpu);
  const auto end = FactOfRun(profile, metric::Counter::kProgramEnd);
  const bool timed = std::ranges::any_of(profile.processes, [](const profile::Process& process) {
    return !process.info.clock.empty();
  });
  if (!program || !end || !timed) return;
  const Recorded recorded = AddUp(profile, *end);
  const uint64_t allowed =
      std::max(*program / kShare, kPerRunNs + kPerProcessNs * recorded.processes);
  const uint64_t pid = profile.processes.front().info.pid;
  if (*program > recorded.cpu_ns + allowed)
    report.losses.push_back(
        {pid, metric::KeyOf(metric::Counter::kCpuInOtherPrograms), *program - recorded.cpu_ns});
  uint64_t excess = recorded.impossible_ns;
  // A process that nobody has waited for is in none of the kernel's sums.
  if (recorded.pids.size() == 1 && recorded.cpu_ns > *program + allowed)
    excess = std::max(excess, recorded.cpu_ns - *program);
  if (excess != 0)
    report.facts.push_back({pid, metric::KeyOf(metric::Counter::kCpuExcess), excess});
}

}  // namespace pyrometer::analyze
