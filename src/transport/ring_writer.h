// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "transport/records.h"
#include "transport/ring.h"

namespace pyrometer::transport {

// The producing side of the ring, used by all threads of one process.
//
// Invariants:
//  1. a record is contiguous; what does not fit before the end of the ring is
//     preceded by a padding record;
//  2. bytes between tail and head that are not yet committed have a zero first
//     word: the consumer clears what it has read before it moves tail;
//  3. a full ring refuses, it never blocks and never overwrites.
//
// Thread-safety: any number of producers, lock-free.
// Signal-safety: safe. A producer outside a handler must block signals between
// Reserve and Commit, or a handler that does not return would leave a record
// that is never committed and stop the consumer there.
class RingWriter {
 public:
  RingWriter() = default;
  RingWriter(RingHeader* header, uint8_t* data) : header_(header), data_(data) {}

  RingHeader* header() const { return header_; }
  static constexpr uint32_t Aligned(size_t bytes) {
    return static_cast<uint32_t>((bytes + kRecordAlign - 1) & ~size_t{kRecordAlign - 1});
  }

  // Room for `bytes` (a multiple of kRecordAlign), or nullptr when full, which
  // is counted.
  uint8_t* Reserve(uint32_t bytes) {
    const uint64_t ring = header_->ring_bytes;
    if (bytes > ring / 2) return Refuse();
    uint64_t head = header_->head.load(std::memory_order_relaxed);
    for (;;) {
      const uint64_t offset = head & (ring - 1);
      const uint64_t padding = offset + bytes > ring ? ring - offset : 0;
      const uint64_t tail = header_->tail.load(std::memory_order_acquire);
      if (head + padding + bytes - tail > ring) return Refuse();
      if (!header_->head.compare_exchange_weak(head, head + padding + bytes,
                                               std::memory_order_relaxed))
        continue;
      if (padding == 0) return data_ + offset;
      Commit(data_ + offset, static_cast<uint32_t>(padding), RecordType::kPadding);
      return data_;
    }
  }

  // Copies the fixed part of a record behind its header word, which stays zero
  // until the commit.
  template <class Record>
  static void Fill(uint8_t* out, const Record& record) {
    std::memcpy(out + sizeof(RecordHeader),
                reinterpret_cast<const uint8_t*>(&record) + sizeof(RecordHeader),
                sizeof record - sizeof(RecordHeader));
  }

  // Writes a record that nothing follows. False: the ring is full.
  template <class Record>
  bool Write(const Record& record, RecordType type) {
    constexpr uint32_t kBytes = Aligned(sizeof(Record));
    uint8_t* out = Reserve(kBytes);
    if (out == nullptr) return false;
    Fill(out, record);
    Commit(out, kBytes, type);
    return true;
  }

  // Publishes a record that Reserve gave.
  static void Commit(uint8_t* record, uint32_t bytes, RecordType type) {
    const uint64_t word = uint64_t{bytes} | uint64_t{static_cast<uint32_t>(type)} << 32;
    std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(record))
        .store(word, std::memory_order_release);
  }

 private:
  uint8_t* Refuse() {
    ++header_->counters.ring_full;
    return nullptr;
  }

  RingHeader* header_ = nullptr;
  uint8_t* data_ = nullptr;
};

}  // namespace pyrometer::transport
