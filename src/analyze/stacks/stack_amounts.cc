// SPDX-License-Identifier: Apache-2.0
#include "analyze/stacks/stack_amounts.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "analyze/memory/memory_moments.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

using format::Activity;
using format::MemoryKind;

// Indices of CallAmount::parts.
constexpr size_t kPythonPart = 0, kNativePart = 1, kWaitPart = 3;

size_t PartOf(Activity activity) {
  return format::IsOnCpu(activity) ? static_cast<size_t>(activity) : kWaitPart;
}

CallAmount AmountOf(uint64_t value, uint64_t samples, size_t part) {
  CallAmount amount{.value = value, .samples = samples};
  amount.parts[part] = value;
  return amount;
}

// Adds up amounts by thread and stack.
class Sums {
 public:
  void Add(std::optional<format::ThreadId> thread, format::StackId stack,
           const CallAmount& amount) {
    const uint64_t high = thread ? uint64_t{thread->value} + 1 : 0;
    const auto [it, fresh] = index_.try_emplace(high << 32 | stack.value, amounts_.size());
    if (fresh) amounts_.push_back({thread, stack, {}});
    amounts_[it->second].amount.Add(amount);
  }

  std::vector<StackAmount> Take() {
    std::sort(amounts_.begin(), amounts_.end(), [](const StackAmount& a, const StackAmount& b) {
      return std::tie(a.thread, a.stack) < std::tie(b.thread, b.stack);
    });
    return std::move(amounts_);
  }

 private:
  std::vector<StackAmount> amounts_;
  std::unordered_map<uint64_t, size_t> index_;
};

void AddSamples(Metric metric, const profile::Profile& profile, const StackKinds& kinds,
                std::optional<size_t> main_thread, Sums& sums) {
  const metric::Mask wanted = metric::PartsOf(metric);
  const profile::SampleColumns& samples = profile.samples;
  for (size_t i = 0; i < samples.size(); ++i) {
    const bool main = samples.thread[i].value == main_thread;
    if ((kinds.PartsOf(samples.stack[i], samples.activity[i], main) & wanted) == 0) continue;
    sums.Add(samples.thread[i], samples.stack[i],
             AmountOf(samples.weight_ns[i], samples.count[i], PartOf(samples.activity[i])));
  }
}

void AddChanges(Metric metric, const profile::Profile& profile, Sums& sums) {
  for (const format::MemoryChange& change : profile.memory_changes) {
    const bool copied = change.kind == MemoryKind::kCopied;
    if (copied != (metric == Metric::kCopied)) continue;
    sums.Add(change.thread, change.stack,
             AmountOf(change.allocated.bytes, change.allocated.samples,
                      change.kind == MemoryKind::kPython ? kPythonPart : kNativePart));
  }
}

// The peak of a process is known better than that of several together.
std::optional<format::ProcessId> OnlyProcess(const profile::Profile& profile) {
  if (profile.processes.size() != 1) return std::nullopt;
  return format::ProcessId(0);
}

}  // namespace

std::vector<StackAmount> AmountsOf(Metric metric, const profile::Profile& profile,
                                   const StackKinds& kinds, const MemoryHistory& history,
                                   std::optional<size_t> main_thread) {
  Sums sums;
  if (metric == Metric::kLiveAtPeak || metric == Metric::kLiveAtExit) {
    const MemoryMoment moment = metric == Metric::kLiveAtPeak
                                    ? FindPeak(profile, history, OnlyProcess(profile))
                                    : FindEnd(profile, history, OnlyProcess(profile));
    for (const MemoryHistory::Part& part : moment.parts)
      sums.Add(part.place.thread, part.place.stack,
               AmountOf(part.live.bytes, part.live.samples,
                        part.place.kind == MemoryKind::kPython ? kPythonPart : kNativePart));
  } else if (metric::IsMemory(metric)) {
    AddChanges(metric, profile, sums);
  } else if (metric::IsDeclared(metric)) {
    for (const profile::Amount& amount : profile.amounts)
      if (amount.metric == metric)
        sums.Add(amount.thread, amount.stack, AmountOf(amount.value, amount.count, kNativePart));
  } else if (metric == Metric::kAwait) {
    for (const format::Await& await : profile.awaits)
      sums.Add(std::nullopt, await.stack, AmountOf(await.wait_ns, await.count, kWaitPart));
  } else {
    AddSamples(metric, profile, kinds, main_thread, sums);
  }
  return sums.Take();
}

}  // namespace pyrometer::analyze
