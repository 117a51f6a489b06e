// SPDX-License-Identifier: Apache-2.0
#include "format/file_sink.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pyrometer::format {

base::Status FileSink::Append(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_.get(), bytes.data(), bytes.size());
    if (n >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      return base::Error{"cannot write the capture: " + std::generic_category().message(errno)};
    }
  }
  return {};
}

}  // namespace pyrometer::format
