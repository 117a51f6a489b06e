// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "os/remote_memory.h"

namespace pyrometer::capture {

// Reads another process by whole pages and keeps them for the length of one
// poll of a thread: a walk reads many small things that lie close together, and each
// system call costs more than a page. Models cpython::MemoryReader.
//
// The next poll mostly needs the same pages. Who remembers them, by Used, gets them all
// with one system call, by Renew.
//
// Thread-safety: one owner.
class PageReader {
 public:
  // Addresses of pages, each once.
  using Pages = std::vector<uint64_t>;

  static uint64_t PageOf(uint64_t address) { return address - address % kPageBytes; }

  explicit PageReader(const os::RemoteMemory& memory) : memory_(memory) {}

  void Forget() {
    for (auto& [start, page] : pages_) Spare(std::move(page.bytes));
    pages_.clear();
  }

  // Forgets everything, and reads what will be needed.
  void Renew(const Pages& expected) {
    Forget();
    std::vector<uint8_t*> out;
    for (const uint64_t start : expected) {
      Page& page = pages_[start];
      page.bytes = NewPage();
      out.push_back(page.bytes.get());
    }
    for (size_t done = 0; done < expected.size(); ++done) {
      const std::span<const uint64_t> rest = std::span(expected).subspan(done);
      done += memory_.ReadEach(rest, std::span(out).subspan(done), kPageBytes);
      // Gone, or not readable right now: as if it had not been expected.
      if (done < expected.size()) pages_.erase(expected[done]);
    }
  }

  // The pages that were read from since.
  Pages Used() const {
    Pages used;
    for (const auto& [start, page] : pages_)
      if (page.used && page.bytes != nullptr) used.push_back(start);
    return used;
  }

  bool Read(uint64_t address, void* out, size_t size) const {
    auto* to = static_cast<uint8_t*>(out);
    while (size != 0) {
      const uint64_t offset = address % kPageBytes;
      const size_t n = size < kPageBytes - offset ? size : kPageBytes - offset;
      const uint8_t* page = Find(address - offset);
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
  static constexpr size_t kMaxSpare = 64;

  using Bytes = std::unique_ptr<uint8_t[]>;
  struct Page {
    Bytes bytes;  // null: not readable
    bool used = false;
  };

  // Valid until the next call.
  const uint8_t* Find(uint64_t start) const {
    if (pages_.size() >= kMaxPages) pages_.clear();
    const auto [it, fresh] = pages_.try_emplace(start);
    Page& page = it->second;
    if (fresh) {
      Bytes bytes = NewPage();
      if (memory_.Read(start, bytes.get(), kPageBytes)) page.bytes = std::move(bytes);
    }
    page.used = true;
    return page.bytes.get();
  }

  Bytes NewPage() const {
    if (spare_.empty()) return std::make_unique_for_overwrite<uint8_t[]>(kPageBytes);
    Bytes bytes = std::move(spare_.back());
    spare_.pop_back();
    return bytes;
  }
  void Spare(Bytes bytes) {
    if (bytes != nullptr && spare_.size() < kMaxSpare) spare_.push_back(std::move(bytes));
  }

  const os::RemoteMemory& memory_;
  mutable std::unordered_map<uint64_t, Page> pages_;
  mutable std::vector<Bytes> spare_;
};

}  // namespace pyrometer::capture
