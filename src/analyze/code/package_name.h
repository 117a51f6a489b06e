// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pyrometer::analyze {

// What people call the code at `path`: the package or module below
// site-packages or the standard library ("numpy", "json", "threading"), of
// "<frozen importlib._bootstrap>" its first word, else the name of the file
// without its endings.
std::string PackageName(std::string_view path);

// The part of `path` below the folder that it is installed in, such as
// "json/decoder.py"; all of it where it is no library.
std::string_view PathInLibrary(std::string_view path);

}  // namespace pyrometer::analyze
