// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>

// Hashes for std::unordered_map that the library lacks.
namespace pyrometer::base {

// Of texts; finds a std::string by a std::string_view.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// Of one or several numbers, each below 2^32.
struct KeyHash {
  size_t operator()(uint32_t key) const { return key * size_t{0x9e3779b97f4a7c15}; }
  template <class... Numbers>
  size_t operator()(const std::tuple<Numbers...>& key) const {
    return std::apply(
        [](auto... numbers) {
          size_t hash = 0;
          ((hash = (hash ^ numbers ^ hash >> 32) * size_t{0x9e3779b97f4a7c15}), ...);
          return hash ^ hash >> 32;
        },
        key);
  }
};

}  // namespace pyrometer::base
