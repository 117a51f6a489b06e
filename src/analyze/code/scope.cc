// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/scope.h"

#include "analyze/code/pattern.h"
#include "base/library_path.h"

namespace pyrometer::analyze {

bool Scope::Contains(std::string_view path) const {
  if (Excludes(path)) return false;
  if (!only.empty()) return MatchesAnyPattern(only, std::string(path));
  return all || !base::IsLibraryPath(path);
}

bool Scope::Excludes(std::string_view path) const {
  return MatchesAnyPattern(exclude, std::string(path));
}

}  // namespace pyrometer::analyze
