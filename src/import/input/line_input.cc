// SPDX-License-Identifier: Apache-2.0
#include "import/input/line_input.h"

namespace pyrometer::import_ {
namespace {

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<std::string_view> LineInput::Next() {
  joined_.clear();
  while (true) {
    const size_t end = rest_.find('\n');
    if (end != std::string_view::npos) {
      const std::string_view part = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      ++number_;
      if (joined_.empty()) return WithoutReturn(part);
      joined_ += part;
      return WithoutReturn(joined_);
    }
    if (joined_.size() + rest_.size() > kMaxLine) wrong_ = "is absurdly long";
    if (!wrong_.empty()) {
      rest_ = {};
      return std::nullopt;
    }
    joined_ += rest_;
    rest_ = bytes_.Next();
    if (rest_.empty()) {
      if (joined_.empty()) return std::nullopt;
      ++number_;
      return WithoutReturn(joined_);
    }
    if (const size_t zero = rest_.find('\0'); zero != std::string_view::npos) {
      rest_ = rest_.substr(0, zero);
      wrong_ = "has a byte 0, it is no text";
    }
  }
}

base::Status LineInput::status() const {
  if (!wrong_.empty()) return base::Error{"line " + std::to_string(number_ + 1) + " " + wrong_};
  return bytes_.status();
}

}  // namespace pyrometer::import_
