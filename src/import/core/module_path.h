// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace pyrometer::import_ {

// Whether what a format has in its only place for a file is a library or a program, and no
// source: "/lib/libc.so.6", "/usr/bin/python3.12".
inline bool IsModulePath(std::string_view file) {
  if (file.empty() || file.starts_with('<')) return false;
  const size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string_view ending = file.substr(dot + 1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return ending.empty() || ending == "so" || !std::ranges::all_of(ending, is_letter);
}

}  // namespace pyrometer::import_
