// SPDX-License-Identifier: Apache-2.0
#include "analyze/stacks/stack_times.h"

#include <algorithm>

namespace pyrometer::analyze {
namespace {

using metric::Metric;

// At least the empty stack, also of a profile that has nothing.
size_t StackCount(const profile::Profile& profile) {
  return std::max<size_t>(profile.stacks.size(), 1);
}

// Behind all stacks: of another process.
size_t GroupOf(const profile::Profile& profile, std::optional<size_t> process,
               format::ThreadId thread, format::StackId stack) {
  if (process && profile.threads[thread.value].info.process.value != *process)
    return StackCount(profile);
  return stack.value;
}

}  // namespace

StackTimes::StackTimes(const profile::Profile& profile, const StackKinds& kinds,
                       std::optional<size_t> process, std::optional<size_t> main_thread)
    : profile_(profile),
      kinds_(kinds),
      main_thread_(main_thread),
      samples_(profile.samples.size(), StackCount(profile) + 1,
               [&](size_t i) {
                 return GroupOf(profile, process, profile.samples.thread[i],
                                profile.samples.stack[i]);
               }),
      awaits_(profile.awaits.size(), StackCount(profile) + 1,
              [&](size_t i) -> size_t {
                const format::Await& await = profile.awaits[i];
                if (process && profile.tasks[await.task.value].info.process.value != *process)
                  return StackCount(profile);
                return await.stack.value;
              }),
      amounts_(profile.amounts.size(), StackCount(profile) + 1,
               [&](size_t i) {
                 const profile::Amount& amount = profile.amounts[i];
                 return GroupOf(profile, process, amount.thread, amount.stack);
               }),
      used_(StackCount(profile)) {
  for (size_t i = 0; i < used_.size(); ++i)
    used_[i] = !samples_.Of(i).empty() || !awaits_.Of(i).empty() || !amounts_.Of(i).empty();
}

void StackTimes::Fill(format::StackId stack, Breakdown* time) const {
  const profile::SampleColumns& samples = profile_.samples;
  // They lie far apart, and waiting for one after the other was a sixth of a large report.
  for (const uint32_t i : samples_.Of(stack.value)) {
    __builtin_prefetch(&samples.weight_ns[i]);
    __builtin_prefetch(&samples.count[i]);
    __builtin_prefetch(&samples.activity[i]);
    __builtin_prefetch(&samples.thread[i]);
  }
  for (const uint32_t i : samples_.Of(stack.value))
    time->AddSample(samples.activity[i], samples.weight_ns[i], samples.count[i],
                    samples.thread[i].value == main_thread_);
  if (kinds_.InGc(stack)) time->Add(Metric::kGc, time->cpu());
  if (kinds_.InWorker(stack)) time->Add(Metric::kWorker, time->cpu());
  if (kinds_.InImport(stack)) time->Add(Metric::kImport, (*time)[Metric::kTime]);
  for (const uint32_t i : awaits_.Of(stack.value))
    time->Add(Metric::kAwait, {profile_.awaits[i].wait_ns, profile_.awaits[i].count});
  for (const uint32_t i : amounts_.Of(stack.value))
    time->Add(profile_.amounts[i].metric, {profile_.amounts[i].value, profile_.amounts[i].count});
}

}  // namespace pyrometer::analyze
