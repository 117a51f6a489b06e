// SPDX-License-Identifier: Apache-2.0
#include "analyze/stacks/stack_times.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

// The rows that are at each stack of the walk.
template <class StackOf>
base::GroupedValues<uint32_t> ByStack(const base::RowList& rows, const StackWalk& walk,
                                      StackOf stack_of) {
  return {rows.size(), walk.size(), [&](size_t i) { return walk.NumberOf(stack_of(rows[i])); },
          [&](size_t i) { return static_cast<uint32_t>(rows[i]); }};
}

}  // namespace

StackTimes::StackTimes(const profile::Profile& profile, const StackKinds& kinds,
                       const StackWalk& walk, const TimedRows& rows,
                       std::optional<size_t> main_thread)
    : profile_(profile),
      kinds_(kinds),
      walk_(walk),
      main_thread_(main_thread),
      samples_(ByStack(rows.samples, walk, [&](size_t i) { return profile.samples.stack[i]; })),
      awaits_(ByStack(rows.awaits, walk, [&](size_t i) { return profile.awaits[i].stack; })),
      amounts_(ByStack(rows.amounts, walk, [&](size_t i) { return profile.amounts[i].stack; })),
      used_(walk.size()) {
  for (size_t i = 0; i < used_.size(); ++i)
    used_[i] = !samples_.Of(i).empty() || !awaits_.Of(i).empty() || !amounts_.Of(i).empty();
}

void StackTimes::Fill(uint32_t number, Breakdown* time) const {
  const profile::SampleColumns& samples = profile_.samples;
  // They lie far apart, and waiting for one after the other was a sixth of a large report.
  for (const uint32_t i : samples_.Of(number)) {
    samples.weight_ns.Prefetch(i);
    samples.count.Prefetch(i);
    __builtin_prefetch(&samples.activity[i]);
    samples.thread.Prefetch(i);
  }
  for (const uint32_t i : samples_.Of(number))
    time->AddSample(samples.activity[i], samples.weight_ns[i], samples.count[i],
                    samples.thread[i].value == main_thread_);
  const format::StackId stack = walk_.StackOf(number);
  if (kinds_.InGc(stack)) time->Add(Metric::kGc, time->cpu());
  if (kinds_.InWorker(stack)) time->Add(Metric::kWorker, time->cpu());
  if (kinds_.InImport(stack)) time->Add(Metric::kImport, (*time)[Metric::kTime]);
  for (const uint32_t i : awaits_.Of(number))
    time->Add(Metric::kAwait, {profile_.awaits[i].wait_ns, profile_.awaits[i].count});
  for (const uint32_t i : amounts_.Of(number))
    time->Add(profile_.amounts[i].metric, {profile_.amounts[i].value, profile_.amounts[i].count});
}

}  // namespace pyrometer::analyze
