// SPDX-License-Identifier: Apache-2.0
#include "profile/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/scoped_fd.h"

namespace pyrometer::profile {
namespace {

base::Error LastError() {
  if (errno == ENOENT) return {"no such file"};
  return {"cannot be read: " + std::generic_category().message(errno)};
}

}  // namespace

base::Result<MappedFile> MappedFile::Open(const std::string& path) {
  // Without O_NONBLOCK a named pipe would wait for somebody to write.
  const base::ScopedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return LastError();
  struct stat info;
  if (::fstat(fd.get(), &info) != 0) return LastError();
  if (S_ISDIR(info.st_mode)) return base::Error{"is a directory, not a capture"};
  if (!S_ISREG(info.st_mode)) return base::Error{"is not a regular file"};
  const auto size = static_cast<size_t>(info.st_size);
  if (size == 0) return MappedFile({});
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (start == MAP_FAILED) return LastError();
  ::madvise(start, size, MADV_SEQUENTIAL);
  return MappedFile({static_cast<const uint8_t*>(start), size});
}

void MappedFile::Forget(size_t size) {
  // A call for each page would cost more than it gives.
  constexpr size_t kAtOnce = size_t{16} << 20;
  while (std::min(size, bytes_.size()) - forgotten_ >= kAtOnce) {
    ::madvise(const_cast<uint8_t*>(bytes_.data()) + forgotten_, kAtOnce, MADV_DONTNEED);
    forgotten_ += kAtOnce;
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace pyrometer::profile
