// SPDX-License-Identifier: Apache-2.0
#include "profile/sample_order.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pyrometer::profile {
namespace {

struct Row {
  uint64_t time_ns;
  format::StackId stack;
  format::Activity activity;
  uint64_t weight_ns;
  uint32_t count;
  base::OptionalId<format::TaskId> task;
};

Row RowAt(const SampleColumns& samples, size_t i) {
  return {samples.time_ns[i],   samples.stack[i], samples.activity[i],
          samples.weight_ns[i], samples.count[i], samples.task[i]};
}

void SetRow(SampleColumns* samples, size_t i, const Row& row) {
  samples->time_ns[i] = row.time_ns;
  samples->stack[i] = row.stack;
  samples->activity[i] = row.activity;
  samples->weight_ns.Set(i, row.weight_ns);
  samples->count.Set(i, row.count);
  samples->task.Set(i, row.task);
}

// By thread: whether one of its samples is older than one before it.
std::vector<bool> Disorder(const SampleColumns& samples, size_t threads) {
  std::vector<bool> disorder(threads);
  std::vector<uint64_t> latest(threads);
  for (size_t i = 0; i < samples.size(); ++i) {
    uint64_t& last = latest[samples.thread[i].value];
    if (samples.time_ns[i] < last) disorder[samples.thread[i].value] = true;
    last = samples.time_ns[i];
  }
  return disorder;
}

}  // namespace

void OrderByTime(SampleColumns* samples, size_t threads) {
  const std::vector<bool> disorder = Disorder(*samples, threads);
  if (std::find(disorder.begin(), disorder.end(), true) == disorder.end()) return;
  std::vector<std::vector<uint32_t>> places(threads);
  for (size_t i = 0; i < samples->size(); ++i)
    if (const uint32_t thread = samples->thread[i].value; disorder[thread])
      places[thread].push_back(static_cast<uint32_t>(i));
  std::vector<Row> rows;
  for (const std::vector<uint32_t>& of_thread : places) {
    rows.clear();
    for (const uint32_t i : of_thread) rows.push_back(RowAt(*samples, i));
    std::ranges::stable_sort(rows, {}, &Row::time_ns);
    for (size_t i = 0; i < rows.size(); ++i) SetRow(samples, of_thread[i], rows[i]);
  }
}

}  // namespace pyrometer::profile
