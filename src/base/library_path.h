// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pyrometer::base {
namespace library_path_detail {

constexpr bool SkipDigits(std::string_view* text) {
  const size_t before = text->size();
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') text->remove_prefix(1);
  return text->size() != before;
}

// Whether `path` has a folder `parent`X.Y, as in /usr/lib/python3.12/, with an
// optional letter as in python3.13t.
constexpr bool HasVersionFolder(std::string_view path, std::string_view parent) {
  for (size_t at = path.find(parent); at != path.npos; at = path.find(parent, at + 1)) {
    std::string_view rest = path.substr(at + parent.size());
    if (!SkipDigits(&rest) || !rest.starts_with('.')) continue;
    rest.remove_prefix(1);
    if (!SkipDigits(&rest)) continue;
    if (rest.starts_with('t')) rest.remove_prefix(1);
    if (rest.starts_with('/')) return true;
  }
  return false;
}

}  // namespace library_path_detail

// Whether Python code of this file came with the interpreter or was installed
// into it, rather than being the user's own.
constexpr bool IsLibraryPath(std::string_view path) {
  using library_path_detail::HasVersionFolder;
  return path.starts_with("<frozen") || path.find("/site-packages/") != path.npos ||
         path.find("/dist-packages/") != path.npos || HasVersionFolder(path, "/lib/python") ||
         HasVersionFolder(path, "/lib64/python");
}

}  // namespace pyrometer::base
