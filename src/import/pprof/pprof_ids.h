// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace pyrometer::import_ {

// Where the entry with an id stands in a table. Ids are mostly 1, 2, 3, ...
//
// Thread-safety: none; one owner.
class PprofIds {
 public:
  // False: there was one with that id before.
  bool Add(uint64_t id, uint32_t place) {
    if (id == dense_.size()) {
      dense_.push_back(place);
      return true;
    }
    return id > dense_.size() && others_.try_emplace(id, place).second;
  }
  const uint32_t* Find(uint64_t id) const {
    if (id < dense_.size()) return id == 0 ? nullptr : &dense_[id];
    const auto it = others_.find(id);
    return it == others_.end() ? nullptr : &it->second;
  }

 private:
  std::vector<uint32_t> dense_{0};  // id 0 is none
  std::unordered_map<uint64_t, uint32_t> others_;
};

}  // namespace pyrometer::import_
