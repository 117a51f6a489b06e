// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "capture/probes/memory/live_block.h"

namespace pyrometer::capture {

// Memory mappings that were sampled, of which any part may be unmapped. What is
// left of one keeps its place, and its share of the bytes.
//
// Thread-safety: one owner.
class MappedRanges {
 public:
  // REQUIRES: block.bytes != 0 and the range ends within 2^64; nothing of it is
  // there already.
  void Add(uint64_t address, const LiveBlock& block);
  // Takes out what lies in the range and returns it, piece by piece. `may_split`:
  // where a piece would leave two behind it may do so; else the second goes, too.
  std::vector<LiveBlock> Remove(uint64_t address, uint64_t bytes, bool may_split);

  // The one that begins there; nullptr: none does.
  LiveBlock* Find(uint64_t address) {
    const auto it = ranges_.find(address);
    return it != ranges_.end() ? &it->second : nullptr;
  }

  size_t size() const { return ranges_.size(); }
  const std::map<uint64_t, LiveBlock>& ranges() const { return ranges_; }

 private:
  std::map<uint64_t, LiveBlock> ranges_;  // by address; they do not overlap
};

}  // namespace pyrometer::capture
