// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace pyrometer::cpython {

// Memory of an imaginary process for tests: blocks that a test makes and fills.
// Satisfies MemoryReader.
class FakeMemory {
 public:
  // A zeroed block at a fresh address that is a multiple of 16.
  uint64_t Allocate(size_t size) {
    const uint64_t address = next_;
    next_ += (size + 0xfff) / 0x1000 * 0x1000 + 0x1000;  // an unmapped page follows
    blocks_[address].resize(size);
    return address;
  }

  template <class T>
  void Put(uint64_t address, T value) {
    auto block = std::prev(blocks_.upper_bound(address));
    std::memcpy(block->second.data() + (address - block->first), &value, sizeof value);
  }
  void PutText(uint64_t address, std::string_view text) {
    for (const char c : text) Put(address++, c);
  }

  bool Read(uint64_t address, void* out, size_t size) const {
    auto block = blocks_.upper_bound(address);
    if (block == blocks_.begin()) return false;
    --block;
    const uint64_t offset = address - block->first;
    if (offset > block->second.size() || size > block->second.size() - offset) return false;
    std::memcpy(out, block->second.data() + offset, size);
    return true;
  }

 private:
  std::map<uint64_t, std::vector<uint8_t>> blocks_;
  uint64_t next_ = 0x10000;
};

}  // namespace pyrometer::cpython
