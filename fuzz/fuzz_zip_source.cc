// SPDX-License-Identifier: Apache-2.0
// A zip archive from which the source of two modules is asked for: there is none, or it is not
// longer than it may be.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "capture/session/zip_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMaxBytes = 1 << 16;
  static const int file = memfd_create("archive", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  for (const char* member : {"/a/b.py", "/__main__.py"}) {
    const auto text = pyrometer::capture::ReadZipSource(path + member, kMaxBytes);
    if (text && text->size() > kMaxBytes) std::abort();
  }
  return 0;
}
