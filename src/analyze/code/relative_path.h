// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "analyze/code/package_name.h"

namespace pyrometer::analyze {

// `path` as people say it: relative to `directory`, where the program was started, of
// libraries to where they are installed.
inline std::string_view RelativePath(std::string_view path, std::string_view directory) {
  if (directory.size() > 1 && path.size() > directory.size() + 1 && path.starts_with(directory) &&
      path[directory.size()] == '/')
    return path.substr(directory.size() + 1);
  return PathInLibrary(path);
}

}  // namespace pyrometer::analyze
