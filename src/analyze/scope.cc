// SPDX-License-Identifier: Apache-2.0
#include "analyze/scope.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/library_path.h"

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

}  // namespace

bool Scope::Contains(std::string_view path) const {
  const std::string text(path);
  if (MatchesAny(exclude, text)) return false;
  if (!only.empty()) return MatchesAny(only, text);
  return all || !base::IsLibraryPath(path);
}

}  // namespace pyrometer::analyze
