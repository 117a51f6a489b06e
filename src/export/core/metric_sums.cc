// SPDX-License-Identifier: Apache-2.0
#include "export/core/metric_sums.h"

#include "base/grouped_rows.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {

MetricSums::MetricSums(const Exchange& from, Metric metric, Threads threads)
    : from_(from), apart_(threads == Threads::kApart) {
  if (!apart_) sums_.resize(from.nodes().size());
  if (metric::IsDeclared(metric))
    AddAmounts(metric);
  else if (metric::IsMemory(metric))
    AddMemory(metric);
  else
    AddSamples(metric);
}

void MetricSums::AddSamples(Metric metric) {
  const profile::SampleColumns& samples = from_.profile().samples;
  const bool counted = metric == Metric::kSamples;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!counted && !metric::Contains(metric, samples.activity[i])) continue;
    Sum& sum = Of(samples.stack[i], samples.thread[i]);
    sum.value = SaturatingSum(sum.value, counted ? samples.count[i] : samples.weight_ns[i]);
    sum.samples += samples.count[i];
  }
}

void MetricSums::AddAmounts(Metric metric) {
  for (const profile::Amount& amount : from_.profile().amounts) {
    if (amount.metric != metric) continue;
    Sum& sum = Of(amount.stack, amount.thread);
    sum.value = SaturatingSum(sum.value, amount.value);
    sum.samples = SaturatingSum(sum.samples, amount.count);
  }
}

void MetricSums::AddMemory(Metric metric) {
  const auto add = [this](const auto& record, uint64_t bytes) {
    Sum& sum = Of(record.stack, record.thread);
    sum.value = SaturatingSum(sum.value, bytes);
  };
  if (metric == Metric::kLiveAtPeak || metric == Metric::kLiveAtExit) {
    const LiveMoments& moments = from_.moments();
    for (const format::LiveMemory& live :
         metric == Metric::kLiveAtPeak ? moments.peak : moments.left)
      add(live, live.amount.bytes);
    return;
  }
  for (const format::MemoryChange& change : from_.profile().memory_changes)
    if ((change.kind == format::MemoryKind::kCopied) == (metric == Metric::kCopied))
      add(change, change.allocated.bytes);
}

MetricSums::Sum& MetricSums::Of(format::StackId stack, format::ThreadId thread) {
  const uint32_t node = from_.NodeOf(stack);
  if (!apart_) return sums_[node];
  const uint32_t number = index_.Number(node, thread.value);
  if (number == sums_.size()) {
    keys_.push_back({node, thread.value});
    sums_.emplace_back();
  }
  return sums_[number];
}

void MetricSums::ForEach(const Visit& visit) const {
  const auto visit_one = [&](uint32_t node, uint32_t thread, const Sum& sum) {
    if (sum.value != 0) visit(node, thread, sum);
  };
  if (!apart_) {
    for (uint32_t node = 0; node < sums_.size(); ++node) visit_one(node, 0, sums_[node]);
    return;
  }
  const base::GroupedRows by_node(keys_.size(), from_.nodes().size(),
                                  [this](size_t i) { return keys_[i].node; });
  for (uint32_t node = 0; node < from_.nodes().size(); ++node)
    for (const uint32_t i : by_node.Of(node)) visit_one(node, keys_[i].thread, sums_[i]);
}

}  // namespace pyrometer::export_
