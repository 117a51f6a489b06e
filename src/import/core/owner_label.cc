// SPDX-License-Identifier: Apache-2.0
#include "import/core/owner_label.h"

#include <charconv>

namespace pyrometer::import_ {

std::optional<uint64_t> TakeNumber(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  std::string_view rest = text.substr(word.size());
  const bool hexadecimal = rest.starts_with("0x");
  if (hexadecimal) rest.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return {};
  text = rest.substr(static_cast<size_t>(end - rest.data()));
  return number;
}

std::optional<OwnerLabel> ParseOwnerLabel(std::string_view text) {
  const size_t open = text.rfind(" (");
  if (open == std::string_view::npos) return {};
  std::string_view numbers = text.substr(open + 2);
  const auto pid = TakeNumber(numbers, ""), tid = TakeNumber(numbers, "/");
  if (!pid || !tid || numbers != ")") return {};
  return OwnerLabel{text.substr(0, open), *pid, *tid};
}

}  // namespace pyrometer::import_
