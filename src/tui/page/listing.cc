// SPDX-License-Identifier: Apache-2.0
#include "tui/page/listing.h"

#include "analyze/code/pattern.h"

namespace pyrometer::tui {

bool Listing::HasFile(const std::string& path) const {
  return files.empty() || analyze::MatchesAnyPattern(files, path);
}

bool Listing::HasFunction(const std::string& name) const {
  return functions.empty() || analyze::MatchesAnyPattern(functions, name);
}

}  // namespace pyrometer::tui
