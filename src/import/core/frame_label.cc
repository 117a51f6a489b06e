// SPDX-License-Identifier: Apache-2.0
#include "import/core/frame_label.h"

#include <optional>

#include "import/core/whole_number.h"

namespace pyrometer::import_ {
namespace {

using Language = FrameText::Language;

// Takes ":12" off the end of `text`.
uint32_t TakeLine(std::string_view& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const auto line = WholeNumber<uint32_t>(text.substr(colon + 1));
  if (!line) return 0;
  text = text.substr(0, colon);
  return *line;
}

// "file:name:line", where the file may have colons of its own.
std::optional<FrameText> ParseColons(std::string_view label) {
  std::string_view rest = label;
  const uint32_t line = TakeLine(rest);
  if (rest.size() == label.size()) return {};
  size_t colon = rest.rfind(':');
  // The colons of C++ are in pairs.
  while (colon != std::string_view::npos && colon > 1 && rest[colon - 1] == ':')
    colon = rest.rfind(':', colon - 2);
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == rest.size()) return {};
  return FrameText{.name = rest.substr(colon + 1), .file = rest.substr(0, colon), .line = line};
}

}  // namespace

FrameText ParseFrameLabel(std::string_view label) {
  if (label.ends_with("_[k]"))
    return {.name = label.substr(0, label.size() - 4), .language = Language::kKernel};
  if (label.ends_with(')')) {
    const size_t open = label.rfind(" (");
    if (open != std::string_view::npos && open > 0) {
      std::string_view file = label.substr(open + 2, label.size() - open - 3);
      const uint32_t line = TakeLine(file);
      if (!file.empty()) return {.name = label.substr(0, open), .file = file, .line = line};
    }
  }
  if (label.ends_with(']')) {
    const size_t open = label.rfind(" [");
    if (open != std::string_view::npos && open > 0)
      return {.name = label.substr(0, open),
              .module = label.substr(open + 2, label.size() - open - 3),
              .language = Language::kNative};
  }
  if (const auto frame = ParseColons(label)) return *frame;
  return {.name = label};
}

}  // namespace pyrometer::import_
