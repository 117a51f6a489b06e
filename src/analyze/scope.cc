// SPDX-License-Identifier: Apache-2.0
#include "analyze/scope.h"

#include "analyze/pattern.h"
#include "base/library_path.h"

namespace pyrometer::analyze {

bool Scope::Contains(std::string_view path) const {
  const std::string text(path);
  if (MatchesAnyPattern(exclude, text)) return false;
  if (!only.empty()) return MatchesAnyPattern(only, text);
  return all || !base::IsLibraryPath(path);
}

}  // namespace pyrometer::analyze
