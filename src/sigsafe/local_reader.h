// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sigsafe/syscall.h"

namespace pyrometer::sigsafe {

// Pages of this process that were found readable. What was found in an earlier
// generation does not count. Owned by one thread's record; zero-initialised
// memory is an empty cache.
struct PageCache {
  static constexpr size_t kSlots = 256;
  uint64_t generation;
  uint64_t page[kSlots];
  uint64_t seen[kSlots];  // the generation in which page[i] was probed
};

// Reads memory of this process that is known to be mapped.
//
// Thread-safety: safe. Signal-safety: safe.
class TrustingReader {
 public:
  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): a MemoryReader
  bool Read(uint64_t address, void* out, size_t size) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    std::memcpy(out, reinterpret_cast<const void*>(address), size);
    return true;
  }
};

// Reads this process's own memory without ever faulting: each page is probed
// once in a generation by a system call that answers EFAULT instead of raising
// a signal, so no SIGSEGV handler is needed and the program's dispositions stay
// as they are.
//
// Thread-safety: one thread. Signal-safety: safe.
class LocalReader {
 public:
  static constexpr uint64_t kPageBytes = 4096;
  static constexpr uint64_t kUserEnd = uint64_t{1} << 47;

  // For one sample, which is a generation: what is read belongs to live frames
  // of the calling thread and stays while it stands here.
  // [trusted_low, trusted_high) is known to be mapped: the thread's own stack
  // from the interrupted stack pointer upwards.
  LocalReader(PageCache& cache, uint64_t trusted_low, uint64_t trusted_high)
      : cache_(cache), trusted_low_(trusted_low), trusted_high_(trusted_high) {
    ++cache_.generation;
  }

  // For memory that goes away only when the caller gives another generation.
  LocalReader(PageCache& cache, uint64_t generation)
      : cache_(cache), trusted_low_(0), trusted_high_(0) {
    cache_.generation = generation;
  }

  bool Read(uint64_t address, void* out, size_t size) const {
    if (!Readable(address, size)) return false;
    std::memcpy(out, reinterpret_cast<const void*>(address),
                size);  // NOLINT(performance-no-int-to-ptr)
    return true;
  }

  bool Readable(uint64_t address, size_t size) const {
    if (address >= trusted_low_ && address < trusted_high_ && size <= trusted_high_ - address)
      return true;
    if (address < kPageBytes || address >= kUserEnd || size > kUserEnd - address) return false;
    const uint64_t last = (address + size - 1) / kPageBytes;
    for (uint64_t page = address / kPageBytes; page <= last; ++page)
      if (!PageReadable(page)) return false;
    return true;
  }

 private:
  bool PageReadable(uint64_t page) const {
    const size_t slot = page % PageCache::kSlots;
    if (cache_.page[slot] == page && cache_.seen[slot] == cache_.generation) return true;
    // An invalid `how` makes the call read the set and then change nothing:
    // EFAULT when the page cannot be read, EINVAL when it can.
    constexpr long kInvalidHow = -1;
    constexpr long kEfault = -14;
    if (Syscall(SYS_rt_sigprocmask, kInvalidHow, static_cast<long>(page * kPageBytes), 0, 8) ==
        kEfault)
      return false;
    cache_.page[slot] = page;
    cache_.seen[slot] = cache_.generation;
    return true;
  }

  PageCache& cache_;
  uint64_t trusted_low_;
  uint64_t trusted_high_;
};

}  // namespace pyrometer::sigsafe
