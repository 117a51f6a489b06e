// SPDX-License-Identifier: Apache-2.0
#include "export/page_samples.h"

#include <limits>

#include "export/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

}  // namespace

PageSamples::PageSamples(const profile::Profile& profile, const StackTree& stacks, size_t most) {
  const profile::SampleColumns& from = profile.samples;
  const bool merge = from.size() > most;
  std::vector<uint32_t> last_of(profile.threads.size(), kNone);  // row of each thread
  // What is not used of it is never touched.
  const auto reserve = [&](auto&... columns) { (columns.reserve(from.size()), ...); };
  reserve(time_ns, thread, stack, activity, weight_ns, count, task);
  // Nodes of a million stacks do not fit the cache, but it is known which come next.
  constexpr size_t kAhead = 32;
  for (size_t i = 0; i < from.size(); ++i) {
    if (i + kAhead < from.size()) stacks.Prefetch(from.stack[i + kAhead]);
    const uint32_t thread_number = from.thread[i].value;
    const uint32_t node = stacks.Of(from.stack[i]);
    const auto what = static_cast<uint8_t>(from.activity[i]);
    const uint32_t task_number = from.task[i] ? (*from.task[i]).value + 1 : 0;
    uint32_t& last = last_of[thread_number];
    if (merge && last != kNone && stack[last] == node && activity[last] == what &&
        task[last] == task_number) {
      time_ns[last] = from.time_ns[i];
      weight_ns[last] = SaturatingSum(weight_ns[last], from.weight_ns[i]);
      count[last] += from.count[i];
      continue;
    }
    last = static_cast<uint32_t>(size());
    time_ns.push_back(from.time_ns[i]);
    thread.push_back(thread_number);
    stack.push_back(node);
    activity.push_back(what);
    weight_ns.push_back(from.weight_ns[i]);
    count.push_back(from.count[i]);
    task.push_back(task_number);
  }
}

}  // namespace pyrometer::export_
