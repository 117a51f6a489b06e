// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "import/json/json_reader.h"

namespace pyrometer::import_ {

// Reads an object that has more of its kind in an array `children`, and so on, without
// recursion: trees of calls are as deep as the calls were.
//
// `begin(parent)` makes a node and gives its number; the root's parent is itself not there yet
// and called 0. `member(node, key)` takes a value of it, or leaves it. Parents are made before
// their children.
template <class Begin, class Member>
void ReadJsonTree(JsonReader& json, std::string_view children, Begin begin, Member member) {
  if (!json.BeginObject()) return;
  std::vector<uint32_t> open{begin(0)};
  // Goes on with the next child, if there is one in the array that was begun last.
  const auto next_child = [&] {
    while (json.NextElement())
      if (json.BeginObject()) {
        open.push_back(begin(open.back()));
        return;
      }
  };
  while (!open.empty()) {
    const auto key = json.NextKey();
    if (!key) {
      open.pop_back();
      if (!open.empty()) next_child();
    } else if (*key == children) {
      if (json.BeginArray()) next_child();
    } else {
      member(open.back(), *key);
    }
  }
}

}  // namespace pyrometer::import_
