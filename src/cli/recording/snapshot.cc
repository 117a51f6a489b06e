// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/capture_file.h"

namespace pyrometer::cli {
namespace {

bool CopyAll(int from, int to) {
  char bytes[1 << 16];
  for (;;) {
    const ssize_t n = read(from, bytes, sizeof bytes);
    if (n == 0) return true;
    if (n < 0) return false;
    for (ssize_t done = 0; done < n;) {
      const ssize_t written = write(to, bytes + done, static_cast<size_t>(n - done));
      if (written < 0) return false;
      done += written;
    }
  }
}

}  // namespace

base::Status WriteSnapshot(const std::string& from, const std::string& to) {
  const base::ScopedFd source(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!source.valid()) return base::Error{"cannot read " + from + ": " + std::strerror(errno)};
  auto file = CaptureFile::Create(to, "snapshot");
  if (!file.ok()) return file.error();
  {
    const base::ScopedFd target = file->TakeFd();
    if (!CopyAll(source.get(), target.get())) {
      const base::Error error{"cannot write " + to + ": " + std::strerror(errno)};
      file->Discard();
      return error;
    }
  }
  return file->Publish();
}

}  // namespace pyrometer::cli
