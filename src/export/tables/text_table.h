// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "export/stream/utf8.h"

namespace pyrometer::export_ {

// The texts of an output, each once, as valid UTF-8; number 0 is "".
// Thread-safety: none; one owner.
class TextTable {
 public:
  TextTable() { Number(""); }
  TextTable(const TextTable&) = delete;
  TextTable& operator=(const TextTable&) = delete;

  // The number of `text`, which is added if it is new.
  uint32_t Number(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    std::string valid = ValidUtf8(text);
    if (const auto known = numbers_.find(valid); known != numbers_.end()) return known->second;
    texts_.push_back(std::move(valid));
    const auto number = static_cast<uint32_t>(texts_.size() - 1);
    numbers_.emplace(texts_.back(), number);
    return number;
  }

  size_t size() const { return texts_.size(); }
  const std::string& operator[](size_t number) const { return texts_[number]; }

 private:
  std::deque<std::string> texts_;  // never moves them
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

}  // namespace pyrometer::export_
