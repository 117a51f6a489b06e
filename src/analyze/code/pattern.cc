// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/pattern.h"

#include <fnmatch.h>

#include <algorithm>

namespace pyrometer::analyze {

bool MatchesPattern(const std::string& pattern, const std::string& text) {
  if (pattern.find_first_of("*?[") == std::string::npos) {
    return text.find(pattern) != std::string::npos;
  }
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0 ||
         fnmatch(("*/" + pattern).c_str(), text.c_str(), 0) == 0;
}

bool MatchesAnyPattern(const std::vector<std::string>& patterns, const std::string& text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return MatchesPattern(pattern, text); });
}

}  // namespace pyrometer::analyze
