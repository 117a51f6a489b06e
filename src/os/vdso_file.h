// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/scoped_fd.h"

namespace pyrometer::os {

// The library that the kernel maps into every process (clock_gettime and its kin are in it) and
// that is on no disk, as a file: a copy of this process's own, which is that of all others.
//
// Thread-safety: immutable after construction.
class VdsoFile {
 public:
  VdsoFile();

  // Whether a module of that name is meant.
  static bool Is(std::string_view module_path) { return module_path.starts_with("linux-vdso.so"); }

  // Can be opened by this process as long as this lives. Empty: there is none.
  const std::string& path() const { return path_; }

 private:
  base::ScopedFd file_;
  std::string path_;
};

}  // namespace pyrometer::os
