// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace pyrometer::capture {

// A set of addresses, as ranges.
//
// Thread-safety: one owner.
class AddressRanges {
 public:
  // As far as the range lies within 2^64.
  void Add(uint64_t address, uint64_t bytes) {
    uint64_t end = address + std::min(bytes, ~address);
    auto next = ends_.upper_bound(address);
    if (next != ends_.begin() && std::prev(next)->second >= address) --next;
    while (next != ends_.end() && next->first <= end) {
      address = std::min(address, next->first);
      end = std::max(end, next->second);
      next = ends_.erase(next);
    }
    ends_[address] = end;
  }

  // Whether any of them lies in that range. REQUIRES: it ends within 2^64.
  bool Meets(uint64_t address, uint64_t bytes) const {
    const auto next = ends_.lower_bound(address + bytes);
    return next != ends_.begin() && std::prev(next)->second > address;
  }

 private:
  std::map<uint64_t, uint64_t> ends_;  // by where they begin; they neither overlap nor touch
};

}  // namespace pyrometer::capture
