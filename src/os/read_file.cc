// SPDX-License-Identifier: Apache-2.0
#include "os/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace pyrometer::os {

std::optional<std::string> ReadFile(const std::string& path, size_t limit) {
  const base::ScopedFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  std::string text;
  char part[16384];
  for (;;) {
    const ssize_t n = read(fd.get(), part, sizeof part);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || text.size() + static_cast<size_t>(n) > limit) return std::nullopt;
    text.append(part, static_cast<size_t>(n));
  }
}

bool ReadAgain(const base::ScopedFd& file, std::span<char> out) {
  const ssize_t n = pread(file.get(), out.data(), out.size() - 1, 0);
  if (n <= 0) return false;
  out[static_cast<size_t>(n)] = '\0';
  return true;
}

}  // namespace pyrometer::os
