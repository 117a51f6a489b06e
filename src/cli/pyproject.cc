// SPDX-License-Identifier: Apache-2.0
#include "cli/pyproject.h"

#include <charconv>
#include <filesystem>
#include <string_view>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "os/read_file.h"

namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;

// The shortest text that reads as the same number.
template <class Number>
std::string NumberText(Number value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

PyprojectKey ReadKey(std::string_view name, const toml::node& node) {
  using Kind = PyprojectKey::Kind;
  PyprojectKey key{std::string(name), Kind::kOther, {}};
  const auto set = [&key](Kind kind, std::string text) {
    key.kind = kind;
    key.values.push_back(std::move(text));
  };
  if (const auto* flag = node.as_boolean()) {
    set(Kind::kFlag, flag->get() ? "true" : "false");
  } else if (const auto* integer = node.as_integer()) {
    set(Kind::kNumber, NumberText(integer->get()));
  } else if (const auto* number = node.as_floating_point()) {
    set(Kind::kNumber, NumberText(number->get()));
  } else if (const auto* text = node.as_string()) {
    set(Kind::kText, text->get());
  } else if (const auto* list = node.as_array()) {
    for (const toml::node& element : *list) {
      const auto* item = element.as_string();
      if (item == nullptr) return {key.name, Kind::kOther, {}};
      set(Kind::kTexts, item->get());
    }
    key.kind = Kind::kTexts;
  }
  return key;
}

base::Result<std::optional<Pyproject>> Read(const std::string& path) {
  constexpr size_t kMaxBytes = 16 << 20;
  const std::optional<std::string> text = os::ReadFile(path, kMaxBytes);
  if (!text) return base::Error{"cannot read " + path + " (--no-config goes on without it)"};
  const toml::parse_result parsed = toml::parse(*text, path);
  if (!parsed)
    return base::Error{path + ":" + NumberText(parsed.error().source().begin.line) + ": " +
                       std::string(parsed.error().description()) +
                       " (--no-config goes on without this file)"};
  Pyproject project{path, {}};
  const toml::table& root = parsed;
  const auto tool = root["tool"]["pyrometer"];
  if (!tool) return {std::move(project)};
  const toml::table* table = tool.as_table();
  if (table == nullptr) return base::Error{path + ": tool.pyrometer must be a table"};
  for (auto&& [name, node] : *table) project.keys.push_back(ReadKey(name, node));
  return {std::move(project)};
}

}  // namespace

base::Result<std::optional<Pyproject>> ReadNearestPyproject(const std::string& folder) {
  std::error_code error;
  fs::path place = fs::canonical(folder, error);
  if (error) return std::optional<Pyproject>();
  for (;; place = place.parent_path()) {
    const fs::path file = place / "pyproject.toml";
    if (fs::is_regular_file(file, error)) return Read(file.string());
    if (place == place.root_path()) return std::optional<Pyproject>();
  }
}

}  // namespace pyrometer::cli
