// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_samples.h"

#include <future>
#include <limits>

#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// The rows of samples [begin, end).
PageSamples::Rows RowsOf(const profile::Profile& profile, const StackTree& stacks, bool merge,
                         size_t begin, size_t end) {
  const profile::SampleColumns& from = profile.samples;
  PageSamples::Rows to;
  std::vector<uint32_t> last_of(profile.threads.size(), kNone);  // row of each thread
  // What is not used of it is never touched.
  const auto reserve = [&](auto&... columns) { (columns.reserve(end - begin), ...); };
  reserve(to.time_ns, to.thread, to.stack, to.activity, to.weight_ns, to.count, to.task);
  for (size_t i = begin; i < end; ++i) {
    const uint32_t thread = from.thread[i].value;
    const uint32_t node = stacks.OfNext(from.stack, i);
    const auto activity = static_cast<uint8_t>(from.activity[i]);
    const uint32_t task = from.task[i] ? (*from.task[i]).value + 1 : 0;
    uint32_t& last = last_of[thread];
    if (merge && last != kNone && to.stack[last] == node && to.activity[last] == activity &&
        to.task[last] == task) {
      to.time_ns[last] = from.time_ns[i];
      to.weight_ns[last] = SaturatingSum(to.weight_ns[last], from.weight_ns[i]);
      to.count[last] += from.count[i];
      continue;
    }
    last = static_cast<uint32_t>(to.time_ns.size());
    to.time_ns.push_back(from.time_ns[i]);
    to.thread.push_back(thread);
    to.stack.push_back(node);
    to.activity.push_back(activity);
    to.weight_ns.push_back(from.weight_ns[i]);
    to.count.push_back(from.count[i]);
    to.task.push_back(task);
  }
  return to;
}

}  // namespace

PageSamples::PageSamples(const profile::Profile& profile, const StackTree& stacks, size_t most,
                         size_t least_halved) {
  const size_t all = profile.samples.size();
  const bool merge = all > most;
  const size_t middle = all < least_halved ? all : all / 2;
  const auto rows = [&](size_t begin, size_t end) {
    return RowsOf(profile, stacks, merge, begin, end);
  };
  std::future<Rows> second;
  if (middle < all) second = std::async(std::launch::async, rows, middle, all);
  first_ = rows(0, middle);
  if (second.valid()) second_ = second.get();
}

}  // namespace pyrometer::export_
