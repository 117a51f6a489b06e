// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "transport/records.h"
#include "transport/ring.h"

namespace pyrometer::transport {

// The consuming side of the ring, in the collector. The other process may be
// dying or hostile: sizes are checked before they are used.
//
// Thread-safety: one consumer.
class RingReader {
 public:
  RingReader() = default;
  // `ring_bytes` is taken once, so that it cannot change under us.
  RingReader(RingHeader* header, uint8_t* data, uint64_t ring_bytes)
      : header_(header), data_(data), ring_bytes_(ring_bytes) {}

  // Calls visit(RecordType, std::span<const uint8_t> whole_record) for each
  // committed record. Returns false when the ring holds nonsense and must not
  // be read any further.
  template <class Visit>
  bool Drain(Visit&& visit) {
    uint64_t tail = header_->tail.load(std::memory_order_relaxed);
    const uint64_t head = header_->head.load(std::memory_order_acquire);
    if (head - tail > ring_bytes_) return false;
    while (tail != head) {
      uint8_t* record = data_ + (tail & (ring_bytes_ - 1));
      const uint64_t word = std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(record))
                                .load(std::memory_order_acquire);
      if (word == 0) break;  // its producer is still at work
      const auto bytes = static_cast<uint32_t>(word);
      const auto type = static_cast<RecordType>(word >> 32);
      const uint64_t to_end = ring_bytes_ - (tail & (ring_bytes_ - 1));
      if (bytes < sizeof(RecordHeader) || bytes % kRecordAlign != 0 || bytes > to_end ||
          bytes > head - tail)
        return false;
      if (type != RecordType::kPadding) visit(type, std::span<const uint8_t>(record, bytes));
      std::memset(record, 0, bytes);
      tail += bytes;
      header_->tail.store(tail, std::memory_order_release);
    }
    return true;
  }

  uint64_t pending_bytes() const {
    return header_->head.load(std::memory_order_acquire) -
           header_->tail.load(std::memory_order_relaxed);
  }

 private:
  RingHeader* header_ = nullptr;
  uint8_t* data_ = nullptr;
  uint64_t ring_bytes_ = 0;
};

}  // namespace pyrometer::transport
