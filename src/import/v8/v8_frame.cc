// SPDX-License-Identifier: Apache-2.0
#include "import/v8/v8_frame.h"

#include <limits>
#include <utility>

#include "import/core/module_path.h"
#include "import/core/owner_label.h"
#include "import/json/json_value.h"

namespace pyrometer::import_ {
namespace {

int HexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// The path of "file:///a%20b"; anything else stays what it is.
std::string PathOf(std::string_view address) {
  constexpr std::string_view kFile = "file://";
  if (!address.starts_with(kFile)) return std::string(address);
  address.remove_prefix(kFile.size());
  std::string path;
  for (size_t i = 0; i < address.size(); ++i) {
    const int high = address[i] == '%' && i + 2 < address.size() ? HexDigit(address[i + 1]) : -1;
    const int low = high >= 0 ? HexDigit(address[i + 2]) : -1;
    path += low >= 0 ? static_cast<char>(high << 4 | low) : address[i];
    if (low >= 0) i += 2;
  }
  return path;
}

}  // namespace

void V8Frame::Read(JsonReader& json) {
  *this = {};
  json.ForMembers([&](std::string_view key) {
    if (key == "functionName") {
      name = ReadText(json);
    } else if (key == "url") {
      file = PathOf(json.Text().value_or(""));
    } else if (key == "lineNumber") {
      const int64_t from_zero = ReadWhole(json).value_or(-1);
      if (from_zero >= 0 && from_zero < std::numeric_limits<uint32_t>::max())
        line = static_cast<uint32_t>(from_zero) + 1;
    }
  });
}

FrameText V8Frame::Text() const {
  FrameText text{.name = name.empty() ? std::string_view("(anonymous)") : name,
                 .file = file,
                 .line = line,
                 .first_line = line};
  if (IsModulePath(file)) std::swap(text.file, text.module);
  return text;
}

std::optional<format::ThreadId> V8Frame::Thread(ProfileMaker& maker) const {
  if (!file.empty() || line != 0) return {};
  const auto owner = ParseOwnerLabel(name);
  if (!owner) return {};
  const format::ThreadId thread = maker.Thread(maker.Process(owner->pid), owner->tid);
  maker.NameThread(thread, owner->name);
  return thread;
}

}  // namespace pyrometer::import_
