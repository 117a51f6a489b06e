// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

#include "os/vdso_file.h"

namespace pyrometer::os {

VdsoFile::VdsoFile() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel says where it is
  const auto* const image = reinterpret_cast<const char*>(getauxval(AT_SYSINFO_EHDR));
  if (image == nullptr) return;
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image);
  // The kernel's linker script has the table of sections at the end.
  const size_t size = header.e_shoff + size_t{header.e_shnum} * header.e_shentsize;
  base::ScopedFd file(memfd_create("vdso", MFD_CLOEXEC));
  if (!file.valid() || write(file.get(), image, size) != static_cast<ssize_t>(size)) return;
  file_ = std::move(file);
  path_ = "/proc/self/fd/" + std::to_string(file_.get());
}

}  // namespace pyrometer::os
