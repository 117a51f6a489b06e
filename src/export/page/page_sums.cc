// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_sums.h"

#include "base/grouped_rows.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

// What of a sample matters here, in as little as possible: they are put in order by stack,
// and what that takes are misses of the cache.
struct Entry {
  uint64_t weight_ns;
  uint32_t count;
  uint32_t thread_and_activity;
};

size_t Slot(uint32_t thread, uint8_t activity) {
  return size_t{thread} * format::kActivityCount + activity;
}

}  // namespace

PageSums::PageSums(const profile::Profile& profile, const StackTree& stacks) {
  const profile::SampleColumns& from = profile.samples;
  const base::GroupedValues<Entry> entries(
      from.size(), stacks.size(), [&](size_t i) { return stacks.OfNext(from.stack, i); },
      [&](size_t i) {
        const size_t slot = Slot(from.thread[i].value, static_cast<uint8_t>(from.activity[i]));
        return Entry{from.weight_ns[i], from.count[i], static_cast<uint32_t>(slot)};
      });
  // Of the current node, by thread and activity, plus one; 0: none.
  std::vector<uint32_t> row_of(profile.threads.size() * format::kActivityCount);
  for (uint32_t node = 0; node < stacks.size(); ++node) {
    const size_t first_row = stack.size();
    for (const Entry& entry : entries.Of(node)) {
      uint32_t& row = row_of[entry.thread_and_activity];
      if (row == 0) {
        stack.push_back(node);
        thread.push_back(entry.thread_and_activity / format::kActivityCount);
        activity.push_back(
            static_cast<uint8_t>(entry.thread_and_activity % format::kActivityCount));
        weight_ns.push_back(entry.weight_ns);
        count.push_back(entry.count);
        row = static_cast<uint32_t>(stack.size());
        continue;
      }
      weight_ns[row - 1] = SaturatingSum(weight_ns[row - 1], entry.weight_ns);
      count[row - 1] += entry.count;
    }
    for (size_t row = first_row; row < stack.size(); ++row)
      row_of[Slot(thread[row], activity[row])] = 0;
  }
}

}  // namespace pyrometer::export_
