// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace pyrometer::import_ {

// The number that `text` is from its first to its last character; empty: it is none, or
// one that does not fit.
template <class Number>
std::optional<Number> WholeNumber(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, base);
  if (text.empty() || error != std::errc() || end != last) return {};
  return number;
}

}  // namespace pyrometer::import_
