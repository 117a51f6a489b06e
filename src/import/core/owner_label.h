// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pyrometer::import_ {

// Who ran, as exports of pyrometer name a thread: "name (pid/tid)".
struct OwnerLabel {
  std::string_view name;
  uint64_t pid = 0;
  uint64_t tid = 0;
};
std::optional<OwnerLabel> ParseOwnerLabel(std::string_view text);

// Takes a number off the front of `text`, behind `word`; 0x makes it hexadecimal.
std::optional<uint64_t> TakeNumber(std::string_view& text, std::string_view word);

}  // namespace pyrometer::import_
