// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer::analyze {

// Which files a report is about. The default is the user's own code: all that
// is not the standard library or an installed package.
//
// A pattern with one of * ? [ is a glob for the whole path or for its last
// components; any other pattern is a substring of the path.
struct Scope {
  bool all = false;                       // library code too
  std::vector<std::string> only = {};     // non-empty: these files and no others
  std::vector<std::string> exclude = {};  // wins over `only` and `all`
  // Where the user's own code alone would show next to nothing, the package behind it counts
  // as the user's (package_opener.h). Not where runs are compared: it depends on the run.
  bool open_packages = true;

  bool Contains(std::string_view path) const;
  bool Excludes(std::string_view path) const;
};

}  // namespace pyrometer::analyze
