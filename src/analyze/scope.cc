// SPDX-License-Identifier: Apache-2.0
#include "analyze/scope.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

namespace pyrometer::analyze {
namespace {

bool Matches(const std::string& pattern, const std::string& path) {
  if (pattern.find_first_of("*?[") == std::string::npos) {
    return path.find(pattern) != std::string::npos;
  }
  return fnmatch(pattern.c_str(), path.c_str(), 0) == 0 ||
         fnmatch(("*/" + pattern).c_str(), path.c_str(), 0) == 0;
}

bool MatchesAny(const std::vector<std::string>& patterns, const std::string& path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return Matches(pattern, path); });
}

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Whether `path` has a folder `parent`/pythonX.Y, as in /usr/lib/python3.12/,
// with an optional letter as in python3.13t.
bool HasVersionFolder(std::string_view path, std::string_view parent) {
  for (size_t at = path.find(parent); at != path.npos; at = path.find(parent, at + 1)) {
    std::string_view rest = path.substr(at + parent.size());
    const auto skip_digits = [&rest] {
      const size_t before = rest.size();
      while (!rest.empty() && IsDigit(rest.front())) rest.remove_prefix(1);
      return rest.size() != before;
    };
    if (!skip_digits() || !rest.starts_with('.')) continue;
    rest.remove_prefix(1);
    if (!skip_digits()) continue;
    if (rest.starts_with('t')) rest.remove_prefix(1);
    if (rest.starts_with('/')) return true;
  }
  return false;
}

}  // namespace

bool IsLibraryPath(std::string_view path) {
  return path.starts_with("<frozen") || path.find("/site-packages/") != path.npos ||
         path.find("/dist-packages/") != path.npos || HasVersionFolder(path, "/lib/python") ||
         HasVersionFolder(path, "/lib64/python");
}

bool Scope::Contains(std::string_view path) const {
  const std::string text(path);
  if (MatchesAny(exclude, text)) return false;
  if (!only.empty()) return MatchesAny(only, text);
  return all || !IsLibraryPath(path);
}

}  // namespace pyrometer::analyze
