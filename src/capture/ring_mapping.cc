// SPDX-License-Identifier: Apache-2.0
#include "capture/ring_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <utility>

#include "base/scoped_fd.h"

namespace pyrometer::capture {

std::optional<RingMapping> RingMapping::Open(const std::string& path) {
  const base::ScopedFd fd(open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat info;
  if (!fd.valid() || fstat(fd.get(), &info) != 0) return std::nullopt;
  const auto bytes = static_cast<uint64_t>(info.st_size);
  if (bytes <= transport::kHeaderBytes) return std::nullopt;
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (map == MAP_FAILED) return std::nullopt;
  const auto* header = static_cast<const transport::RingHeader*>(map);
  const bool ready = header->magic.load(std::memory_order_acquire) == transport::kRingMagic;
  const uint64_t ring_bytes = bytes - transport::kHeaderBytes;
  if (!ready || header->version != transport::kRingVersion || !std::has_single_bit(ring_bytes) ||
      header->ring_bytes != ring_bytes) {
    munmap(map, bytes);
    return std::nullopt;
  }
  return RingMapping(map, bytes, ring_bytes);
}

RingMapping::RingMapping(void* map, size_t bytes, uint64_t ring_bytes)
    : map_(map),
      bytes_(bytes),
      header_(static_cast<transport::RingHeader*>(map)),
      reader_(header_, static_cast<uint8_t*>(map) + transport::kHeaderBytes, ring_bytes) {}

RingMapping::RingMapping(RingMapping&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      bytes_(other.bytes_),
      header_(other.header_),
      reader_(other.reader_) {}

RingMapping::~RingMapping() {
  if (map_ != nullptr) munmap(map_, bytes_);
}

}  // namespace pyrometer::capture
