// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/memory_moments.h"

#include <algorithm>
#include <unordered_map>

namespace pyrometer::analyze {
namespace {

using format::ProcessId;

void Append(std::vector<MemoryHistory::Part>& parts, const std::vector<format::LiveMemory>& live) {
  for (const format::LiveMemory& part : live) {
    if (part.kind == format::MemoryKind::kCopied) continue;
    MemorySum sum;
    sum.Add(part.amount);
    parts.push_back({{part.thread, part.stack, part.kind}, sum});
  }
}

uint64_t Bytes(const std::vector<format::LiveMemory>& live) {
  uint64_t sum = 0;
  for (const format::LiveMemory& part : live)
    if (part.kind != format::MemoryKind::kCopied) sum += part.amount.bytes;
  return sum;
}

// Looks for the largest sum over processes while it goes through their history.
class PeakFinder {
 public:
  PeakFinder(const profile::Profile& profile, const MemoryHistory& history,
             std::optional<ProcessId> process)
      : history_(history), process_(process) {
    if (process) {
      if (const format::MemoryPeak* peak = history.PeakOf(*process)) snapshots_.push_back(peak);
      return;
    }
    by_process_.resize(profile.processes.size());
    for (const format::MemoryPeak& peak : profile.memory_peaks) snapshots_.push_back(&peak);
    std::stable_sort(snapshots_.begin(), snapshots_.end(),
                     [](const auto* a, const auto* b) { return a->time_ns < b->time_ns; });
  }

  MemoryMoment Find() {
    const std::vector<MemoryHistory::Step>& steps = history_.Steps(process_);
    std::unordered_map<uint32_t, uint64_t> live;
    size_t next = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      const MemoryHistory::Step& step = steps[i];
      for (; next < snapshots_.size() && snapshots_[next]->time_ns < step.time_ns; ++next)
        TrySnapshot(*snapshots_[next]);
      uint64_t& bytes = live[step.place];
      const uint64_t change = step.live_bytes - bytes;  // modulo 2^64, like all sums
      bytes = step.live_bytes;
      sum_ += change;
      if (!process_) by_process_[history_.ProcessOf(history_.places()[step.place]).value] += change;
      if (i + 1 == steps.size() || steps[i + 1].time_ns != step.time_ns) TryNow(step.time_ns);
    }
    for (; next < snapshots_.size(); ++next) TrySnapshot(*snapshots_[next]);
    return Moment();
  }

 private:
  void TryNow(uint64_t time_ns) {
    if (sum_ <= best_) return;
    best_ = sum_;
    time_ns_ = time_ns;
    snapshot_ = nullptr;
  }
  void TrySnapshot(const format::MemoryPeak& peak) {
    const uint64_t others = process_ ? 0 : sum_ - by_process_[peak.process.value];
    const uint64_t sum = others + Bytes(peak.parts);
    // A process's own account of its peak is worth more than our sums.
    if (sum < best_) return;
    best_ = sum;
    time_ns_ = peak.time_ns;
    snapshot_ = &peak;
  }

  MemoryMoment Moment() const {
    MemoryMoment moment;
    moment.time_ns = time_ns_;
    if (best_ == 0) return moment;
    for (MemoryHistory::Part& part : history_.LiveAt(time_ns_, process_)) {
      const bool replaced =
          snapshot_ != nullptr && history_.ProcessOf(part.place) == snapshot_->process;
      if (!replaced) moment.parts.push_back(part);
    }
    if (snapshot_ != nullptr) Append(moment.parts, snapshot_->parts);
    return moment;
  }

  const MemoryHistory& history_;
  const std::optional<ProcessId> process_;
  std::vector<const format::MemoryPeak*> snapshots_;  // by time
  std::vector<uint64_t> by_process_;                  // where all are asked for
  uint64_t sum_ = 0;
  uint64_t best_ = 0;
  uint64_t time_ns_ = 0;
  const format::MemoryPeak* snapshot_ = nullptr;
};

}  // namespace

uint64_t MemoryMoment::bytes() const {
  uint64_t sum = 0;
  for (const MemoryHistory::Part& part : parts) sum += part.live.bytes;
  return sum;
}

MemoryMoment FindPeak(const profile::Profile& profile, const MemoryHistory& history,
                      std::optional<ProcessId> process) {
  return PeakFinder(profile, history, process).Find();
}

MemoryMoment FindEnd(const profile::Profile& profile, const MemoryHistory& history,
                     std::optional<ProcessId> process) {
  MemoryMoment end;
  const auto add = [&](ProcessId id) {
    if (const format::MemorySurvivors* survivors = history.SurvivorsOf(id)) {
      Append(end.parts, survivors->parts);
      end.time_ns = std::max(end.time_ns, survivors->time_ns);
      return;
    }
    const uint64_t last_ns = history.ExitNs(id) - 1;
    for (const MemoryHistory::Part& part : history.LiveAt(last_ns, id)) end.parts.push_back(part);
    end.time_ns = std::max(end.time_ns, last_ns);
  };
  if (process) {
    add(*process);
  } else {
    for (uint32_t i = 0; i < profile.processes.size(); ++i) add(ProcessId(i));
  }
  return end;
}

}  // namespace pyrometer::analyze
