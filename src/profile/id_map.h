// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace pyrometer::profile {

// Maps the ids of a file, which have gaps where definitions were lost, to
// places in a table without gaps. Kept as ranges: one for a sound file, and
// never more than there are records, however large the gaps claim to be.
//
// Thread-safety: none; one owner.
class IdMap {
 public:
  // REQUIRES: `id` is greater than all before it; `place` as well.
  void Add(uint32_t id, uint32_t place) {
    if (!ranges_.empty()) {
      Range& last = ranges_.back();
      if (id == last.id + last.count && place == last.place + last.count) {
        ++last.count;
        return;
      }
    }
    ranges_.push_back({id, place, 1});
  }

  std::optional<uint32_t> Find(uint32_t id) const {
    // A sound file.
    if (ranges_.size() == 1 && id - ranges_[0].id < ranges_[0].count)
      return ranges_[0].place + (id - ranges_[0].id);
    auto it = std::ranges::upper_bound(ranges_, id, {}, &Range::id);
    if (it == ranges_.begin()) return std::nullopt;
    --it;
    if (id - it->id >= it->count) return std::nullopt;
    return it->place + (id - it->id);
  }

  // Replaces an id of the file by its place. False: it was never defined.
  template <class Id>
  bool Translate(Id& id) const {
    const auto place = Find(id.value);
    if (place.has_value()) id = Id(*place);
    return place.has_value();
  }

 private:
  struct Range {
    uint32_t id;
    uint32_t place;
    uint32_t count;
  };

  std::vector<Range> ranges_;
};

}  // namespace pyrometer::profile
