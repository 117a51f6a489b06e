// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "os/remote_memory.h"

namespace pyrometer::capture {

// Reads another process by whole pages and keeps them for the length of one
// look at a thread: a walk reads many small things that lie close together, and each
// system call costs more than a page. Models cpython::MemoryReader.
//
// Thread-safety: one owner.
class PageReader {
 public:
  explicit PageReader(const os::RemoteMemory& memory) : memory_(memory) {}

  void Forget() { pages_.clear(); }

  bool Read(uint64_t address, void* out, size_t size) const {
    auto* to = static_cast<uint8_t*>(out);
    while (size != 0) {
      const uint64_t offset = address % kPageBytes;
      const size_t n = size < kPageBytes - offset ? size : kPageBytes - offset;
      const uint8_t* page = Page(address - offset);
      if (page == nullptr) return false;
      std::memcpy(to, page + offset, n);
      to += n;
      address += n;
      size -= n;
    }
    return true;
  }

 private:
  static constexpr uint64_t kPageBytes = 4096;
  // A program may have a million tasks.
  static constexpr size_t kMaxPages = (size_t{32} << 20) / kPageBytes;

  // Valid until the next call.
  const uint8_t* Page(uint64_t start) const {
    if (pages_.size() >= kMaxPages) pages_.clear();
    const auto [it, fresh] = pages_.try_emplace(start);
    if (fresh) {
      auto page = std::make_unique<uint8_t[]>(kPageBytes);
      if (memory_.Read(start, page.get(), kPageBytes)) it->second = std::move(page);
    }
    return it->second.get();
  }

  const os::RemoteMemory& memory_;
  mutable std::unordered_map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;
};

}  // namespace pyrometer::capture
