// SPDX-License-Identifier: Apache-2.0
#include "format/live_parts.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "format/layout.h"

namespace pyrometer::format {
namespace {

void Sort(std::vector<LiveMemory>& parts) {
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const LiveMemory& part) { return part.amount.bytes; });
}

// REQUIRES: `parts` are sorted. One part for each key, sorted as well.
template <class KeyOf>
std::vector<LiveMemory> AddUp(std::span<const LiveMemory> parts, KeyOf key_of) {
  std::map<decltype(key_of(parts[0])), size_t> places;
  std::vector<LiveMemory> sums;
  for (const LiveMemory& part : parts) {
    const auto [it, fresh] = places.try_emplace(key_of(part), sums.size());
    if (fresh) {
      LiveMemory& first = sums.emplace_back();
      first.thread = part.thread;
      first.kind = part.kind;
    }
    sums[it->second].amount += part.amount;
  }
  Sort(sums);
  return sums;
}

}  // namespace

void BoundLiveParts(std::vector<LiveMemory>& parts) {
  if (parts.size() <= kMaxLiveParts) return;
  Sort(parts);
  std::vector<LiveMemory> rest =
      AddUp(std::span(parts).subspan(kMaxLiveParts),
            [](const LiveMemory& part) { return std::pair(part.thread, part.kind); });
  if (rest.size() > kMaxLiveParts)
    rest = AddUp(rest, [](const LiveMemory& part) { return part.kind; });
  parts.resize(kMaxLiveParts);
  parts.insert(parts.end(), rest.begin(), rest.end());
}

}  // namespace pyrometer::format
