// SPDX-License-Identifier: Apache-2.0
#include "symbolize/build_id.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/scoped_fd.h"

namespace pyrometer::symbolize {
namespace {

struct ElfEnder {
  void operator()(Elf* elf) const { elf_end(elf); }
};

}  // namespace

base::Result<std::string> ReadBuildId(const std::string& path) {
  // Non-blocking, so that a FIFO in place of a file does not hold us up.
  const base::ScopedFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return base::Error{path + ": " + std::strerror(errno)};
  struct stat status;
  if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return base::Error{path + ": not a regular file"};
  }
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, ElfEnder> elf(elf_begin(fd.get(), ELF_C_READ, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
    return base::Error{path + ": not an ELF file"};
  }
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf.get(), &bytes);
  if (size <= 0) return std::string();
  return std::string(static_cast<const char*>(bytes), static_cast<size_t>(size));
}

std::string BuildIdToHex(std::string_view build_id) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : build_id) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

}  // namespace pyrometer::symbolize
