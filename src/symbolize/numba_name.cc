// SPDX-License-Identifier: Apache-2.0
#include "symbolize/numba_name.h"

#include <vector>

namespace pyrometer::symbolize {
namespace {

bool SkipPrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "3par" of a nested name; empty at its end.
std::string_view TakePart(std::string_view& text) {
  size_t length = 0;
  std::string_view rest = text;
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9' && length <= text.size()) {
    length = length * 10 + static_cast<size_t>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  if (length == 0 || length > rest.size()) return {};
  text = rest.substr(length);
  return rest.substr(0, length);
}

// Numba writes what no identifier may have as an underscore and its code in hex;
// only that of angle brackets cannot be meant literally.
std::string Unescape(std::string_view part) {
  std::string plain;
  while (!part.empty()) {
    if (SkipPrefix(part, "_3c")) {
      plain += '<';
    } else if (SkipPrefix(part, "_3e")) {
      plain += '>';
    } else {
      plain += part.front();
      part.remove_prefix(1);
    }
  }
  return plain;
}

// A loop that numba has made parallel carries the address of an object.
void DropAddress(std::string& name) {
  constexpr std::string_view kLoop = "__numba_parfor_gufunc";
  if (const size_t at = name.find(kLoop); at != name.npos) name.resize(at + kLoop.size());
}

}  // namespace

std::optional<NumbaName> ParseNumbaName(std::string_view symbol) {
  NumbaName name;
  if (SkipPrefix(symbol, "cfunc.")) name.wrapper = true;
  if (!SkipPrefix(symbol, "_ZN")) return std::nullopt;
  std::vector<std::string> parts;
  constexpr size_t kMaxParts = 32;
  while (parts.size() < kMaxParts) {
    const std::string_view part = TakePart(symbol);
    if (part.empty()) break;
    parts.push_back(Unescape(part));
  }
  // Its ABI tags begin with the number of the version: "B2v1".
  if (!SkipPrefix(symbol, "B") || TakePart(symbol).substr(0, 1) != "v") return std::nullopt;
  if (parts.size() > 2 && parts.front() == "cpython") {
    name.wrapper = true;
    parts.erase(parts.begin());
  }
  if (parts.size() < 2) return std::nullopt;
  name.module = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) name.function += (i == 1 ? "" : ".") + parts[i];
  DropAddress(name.function);
  return name;
}

}  // namespace pyrometer::symbolize
