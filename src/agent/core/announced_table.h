// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pyrometer::agent {

// Which things (code objects, modules) the collector has been told of already.
// A key names a thing for good: for a code object it mixes the address with
// the object's own fields, so that a reused address is a new key.
//
// A slot is claimed by its key and *announced* once its definition is in the
// ring. Whoever finds a slot that is not announced writes the definition
// itself, so every sample comes after a definition of all that it names.
//
// Zeroed memory is an empty table. Thread-safety: lock-free.
// Signal-safety: safe.
template <size_t kSlots>
class AnnouncedTable {
 public:
  static constexpr uint32_t kFull = 0xffffffff;

  // The slot of `key` (not 0), claimed if it is new; kFull when there is none.
  uint32_t Slot(uint64_t key) {
    for (size_t probe = 0; probe < kMaxProbes; ++probe) {
      const size_t i = (key + probe) % kSlots;
      uint64_t seen = keys_[i].load(std::memory_order_relaxed);
      if (seen == key) return static_cast<uint32_t>(i);
      if (seen == 0) {
        if (keys_[i].compare_exchange_strong(seen, key, std::memory_order_relaxed) || seen == key)
          return static_cast<uint32_t>(i);
      }
    }
    return kFull;
  }

  bool Announced(uint32_t slot) const {
    return announced_[slot].load(std::memory_order_acquire) != 0;
  }
  void SetAnnounced(uint32_t slot) { announced_[slot].store(1, std::memory_order_release); }

  // REQUIRES: nobody uses it (a recording begins).
  void Clear() {
    for (auto& key : keys_)
      if (key.load(std::memory_order_relaxed) != 0) key.store(0, std::memory_order_relaxed);
    for (auto& flag : announced_)
      if (flag.load(std::memory_order_relaxed) != 0) flag.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kMaxProbes = 64;
  std::atomic<uint64_t> keys_[kSlots];
  std::atomic<uint8_t> announced_[kSlots];
};

}  // namespace pyrometer::agent
