// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/package_name.h"

#include "base/library_path.h"

namespace pyrometer::analyze {
namespace {

constexpr std::string_view kFrozen = "<frozen ";

std::string_view WithoutEnding(std::string_view name) {
  const size_t dot = name.find('.');
  return dot == 0 || dot == name.npos ? name : name.substr(0, dot);
}

// What follows the last folder in which packages are installed, or nothing.
std::string_view BelowLibrary(std::string_view path) {
  if (!base::IsLibraryPath(path)) return {};
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"})
    if (const size_t at = path.rfind(folder); at != path.npos)
      return path.substr(at + folder.size());
  for (const std::string_view folder : {"/lib/python", "/lib64/python"}) {
    const size_t at = path.rfind(folder);
    if (at == path.npos) continue;
    if (const size_t slash = path.find('/', at + folder.size()); slash != path.npos)
      return path.substr(slash + 1);
  }
  return {};
}

}  // namespace

std::string_view PathInLibrary(std::string_view path) {
  const std::string_view rest = BelowLibrary(path);
  return rest.empty() ? path : rest;
}

std::string PackageName(std::string_view path) {
  if (path.starts_with(kFrozen) && path.ends_with('>')) {
    path = path.substr(kFrozen.size(), path.size() - kFrozen.size() - 1);
    return std::string(WithoutEnding(path));
  }
  if (path.starts_with('<')) return std::string(path);
  std::string_view rest = BelowLibrary(path);
  if (rest.empty()) return std::string(WithoutEnding(path.substr(path.rfind('/') + 1)));
  return std::string(WithoutEnding(rest.substr(0, rest.find('/'))));
}

}  // namespace pyrometer::analyze
