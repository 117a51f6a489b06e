// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/mapped_ranges.h"

#include <algorithm>
#include <iterator>

namespace pyrometer::capture {
namespace {

// Cuts `bytes` off; what stays still counts as the block.
LiveBlock TakePart(LiveBlock& block, uint64_t bytes) {
  const auto share = [&](uint64_t amount) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(amount) * bytes / block.bytes);
  };
  LiveBlock part = block;
  part.bytes = bytes;
  part.amount = {share(block.amount.bytes), 0, 0, share(block.amount.variance_kib2)};
  part.gone_bytes = share(block.gone_bytes);
  block.gone_bytes -= part.gone_bytes;
  block.bytes -= bytes;
  block.amount -= part.amount;
  return part;
}

}  // namespace

void MappedRanges::Add(uint64_t address, const LiveBlock& block) {
  ranges_.emplace(address, block);
}

std::vector<LiveBlock> MappedRanges::Remove(uint64_t address, uint64_t bytes, bool may_split) {
  const uint64_t end = bytes > ~address ? ~uint64_t{0} : address + bytes;
  std::vector<LiveBlock> gone;
  auto it = ranges_.upper_bound(address);
  if (it != ranges_.begin()) --it;
  while (it != ranges_.end() && it->first < end) {
    const uint64_t first = it->first;
    LiveBlock& block = it->second;
    const uint64_t last = first + block.bytes;
    const uint64_t from = std::max(first, address), to = std::min(last, end);
    if (from >= to) {
      ++it;
    } else if (from == first && to == last) {
      gone.push_back(block);
      it = ranges_.erase(it);
    } else if (from == first) {
      gone.push_back(TakePart(block, to - from));
      const LiveBlock rest = block;
      it = std::next(ranges_.emplace_hint(ranges_.erase(it), to, rest));
    } else {
      if (to != last && may_split) ranges_.emplace(to, TakePart(block, last - to));
      gone.push_back(TakePart(block, first + block.bytes - from));
      ++it;
    }
  }
  return gone;
}

}  // namespace pyrometer::capture
