// SPDX-License-Identifier: Apache-2.0
#include "export/v8/v8_frame.h"

#include <fmt/format.h>

namespace pyrometer::export_ {
namespace {

// Editors open what a file: address names.
std::string Address(const std::string& path) {
  if (!path.starts_with('/')) return path;
  std::string address = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f ||
        std::string_view("\"#%<>?[\\]^`{|}").find(c) != std::string_view::npos) {
      fmt::format_to(std::back_inserter(address), "%{:02X}", byte);
    } else {
      address += c;
    }
  }
  return address;
}

// `line` counts from 1; 0: not known.
void Write(std::string_view name, std::string_view url, int64_t line, JsonStream& json) {
  json.Key("callFrame").Object();
  json.Member("functionName", name).Member("scriptId", "0").Member("url", url);
  json.Member("lineNumber", line - 1).Member("columnNumber", line == 0 ? -1 : 0).End();
}

}  // namespace

void WriteV8Frame(const Exchange& from, const LabelTree& tree, uint32_t label, JsonStream& json) {
  const Exchange::Function* function = tree.FunctionOf(label);
  if (function == nullptr) return Write(tree.Text(label), "", 0, json);
  Write(from.Text(function->name), Address(from.Text(function->file)), function->first_line, json);
}

void WriteV8Root(JsonStream& json) { Write("(root)", "", 0, json); }

}  // namespace pyrometer::export_
