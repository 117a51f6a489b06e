// SPDX-License-Identifier: Apache-2.0
#include "import/line_input.h"

namespace pyrometer::import_ {
namespace {

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<std::string_view> LineInput::Next() {
  joined_.clear();
  while (!too_long_) {
    const size_t end = rest_.find('\n');
    if (end != std::string_view::npos) {
      const std::string_view part = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      ++number_;
      if (joined_.empty()) return WithoutReturn(part);
      joined_ += part;
      return WithoutReturn(joined_);
    }
    too_long_ = joined_.size() + rest_.size() > kMaxLine;
    joined_ += rest_;
    rest_ = bytes_.Next();
    if (!rest_.empty()) continue;
    if (joined_.empty()) return std::nullopt;
    ++number_;
    return WithoutReturn(joined_);
  }
  return std::nullopt;
}

base::Status LineInput::status() const {
  if (too_long_) return base::Error{"line " + std::to_string(number_ + 1) + " is absurdly long"};
  return bytes_.status();
}

}  // namespace pyrometer::import_
