// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace pyrometer::profile {

// A regular file, mapped to be read once from front to back. Move only.
class MappedFile {
 public:
  // The error says why, without the path.
  static base::Result<MappedFile> Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::span<const uint8_t> bytes() const { return bytes_; }
  // The first `size` bytes were read: they need no memory any more. Reading them again works,
  // and takes time.
  void Forget(size_t size);

 private:
  explicit MappedFile(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  std::span<const uint8_t> bytes_;
  size_t forgotten_ = 0;
};

}  // namespace pyrometer::profile
