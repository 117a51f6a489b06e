// SPDX-License-Identifier: Apache-2.0
#include "export/core/stack_sums.h"

#include <algorithm>

namespace pyrometer::export_ {

StackSums::StackSums(const Exchange& from)
    : from_(from),
      parts_(PartsOf(from)),
      samples_(from.profile().samples.size(), from.nodes().size(),
               [&](size_t i) { return from.NodeOf(from.profile().samples.stack[i]); }),
      regions_(from.profile()) {}

std::vector<StackSums::Part> StackSums::PartsOf(const Exchange& from) {
  std::vector<Part> parts;
  const auto add = [&](const auto& record, Metric metric, uint64_t value) {
    if (value != 0)
      parts.push_back({from.NodeOf(record.stack), record.thread.value, metric, value});
  };
  for (const format::MemoryChange& change : from.profile().memory_changes) {
    const bool copied = change.kind == format::MemoryKind::kCopied;
    add(change, copied ? Metric::kCopied : Metric::kAllocated, change.allocated.bytes);
  }
  for (const format::LiveMemory& live : from.moments().peak)
    add(live, Metric::kLiveAtPeak, live.amount.bytes);
  for (const format::LiveMemory& live : from.moments().left)
    add(live, Metric::kLiveAtExit, live.amount.bytes);
  for (const profile::Amount& amount : from.profile().amounts)
    add(amount, amount.metric, amount.value);
  std::ranges::stable_sort(parts, {}, &Part::node);
  return parts;
}

uint32_t StackSums::ContextOf(uint32_t thread, uint32_t task, format::StringId region) {
  uint32_t number = with_task_.Number(thread, task);
  // Few programs name regions; the others need not look for pairs a second time.
  if (!from_.profile().regions.empty()) number = with_region_.Number(number, region.value);
  if (number == contexts_.size()) {
    contexts_.push_back({thread, task, region});
    row_of_.push_back(0);
  }
  return number;
}

uint32_t StackSums::ContextOfSample(uint32_t sample) {
  const profile::Profile& profile = from_.profile();
  const profile::SampleColumns& samples = profile.samples;
  const format::ThreadId thread = samples.thread[sample];
  format::StringId region{};
  if (!profile.regions.empty()) {
    const auto index = regions_.At(thread, samples.time_ns[sample]);
    if (index) region = profile.regions[*index].name;
  }
  const auto& task = samples.task[sample];
  return ContextOf(thread.value, task ? (*task).value + 1 : 0, region);
}

StackSums::Row& StackSums::RowOf(uint32_t context) {
  uint32_t& row = row_of_[context];
  if (row == 0) {
    rows_.push_back({context});
    row = static_cast<uint32_t>(rows_.size());
  }
  return rows_[row - 1];
}

void StackSums::ForEach(const Visit& visit) {
  const profile::SampleColumns& samples = from_.profile().samples;
  auto part = parts_.begin();
  for (uint32_t node = 0; node < from_.nodes().size(); ++node) {
    for (const uint32_t i : samples_.Of(node)) {
      RowOf(ContextOfSample(i))
          .values.AddSample(samples.activity[i], samples.weight_ns[i], samples.count[i]);
    }
    for (; part != parts_.end() && part->node == node; ++part)
      RowOf(ContextOf(part->thread, 0, {})).values.Add(part->metric, part->value);
    if (rows_.empty()) continue;
    visit(node, rows_);
    for (const Row& row : rows_) row_of_[row.context] = 0;
    rows_.clear();
  }
}

}  // namespace pyrometer::export_
