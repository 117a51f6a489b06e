// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pyrometer::agent {

// The last few large blocks that were recorded. The collector finds out what blocks take of their
// pages by looking, now and then; of those that were asked for just before the program's last line,
// the agent tells it, because at the next look their pages are gone.
//
// Owned by the agent. Zeroed memory is empty. Thread-safety: safe; while many are added at once,
// one may be lost. Signal-safety: safe.
class LargeBlocks {
 public:
  void Add(uint64_t address, uint64_t bytes) {
    Block& block = blocks_[next_.fetch_add(1, std::memory_order_relaxed) % kMost];
    block.address.store(address, std::memory_order_relaxed);
    block.bytes.store(bytes, std::memory_order_relaxed);
  }

  // Calls use(address, bytes that its pages take) for those that are there; some may have been
  // freed, and their memory used again.
  template <class Use>
  void ForEachTaken(Use&& use) const {
    for (const Block& block : blocks_) {
      const uint64_t address = block.address.load(std::memory_order_relaxed);
      uint64_t taken = 0;
      if (address != 0 && CountTaken(address, block.bytes.load(std::memory_order_relaxed), &taken))
        use(address, taken);
    }
  }

  // REQUIRES: nobody uses it (a recording ends, or the child of a fork).
  void Clear() {
    for (Block& block : blocks_) block.address.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kMost = 64;
  struct Block {
    std::atomic<uint64_t> address;
    std::atomic<uint64_t> bytes;
  };

  // False: a part of it is not mapped.
  static bool CountTaken(uint64_t address, uint64_t bytes, uint64_t* taken);

  std::atomic<uint64_t> next_;
  Block blocks_[kMost];
};

}  // namespace pyrometer::agent
