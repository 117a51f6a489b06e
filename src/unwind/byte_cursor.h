// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "unwind/memory_ref.h"

namespace pyrometer::unwind {

// Reads the DWARF encodings from [position, end) of another memory, a chunk at
// a time. After the first failure (end, unreadable, overlong) every read gives
// 0 and ok() is false, so callers check once per record.
//
// Signal-safety: as the reader behind `memory`.
class ByteCursor {
 public:
  ByteCursor(MemoryRef memory, uint64_t position, uint64_t end)
      : memory_(memory), position_(position), end_(end), ok_(position <= end) {}

  bool ok() const { return ok_; }
  // More to read. False after a failure, so that loops end.
  bool More() const { return ok_ && position_ < end_; }
  uint64_t position() const { return position_; }

  uint8_t Byte() {
    if (!More() || (position_ - chunk_start_ >= chunk_size_ && !Refill())) {
      return static_cast<uint8_t>(Fail());
    }
    return chunk_[position_++ - chunk_start_];
  }
  uint64_t Uleb();
  int64_t Sleb();
  void Skip(uint64_t count);

  template <class T>
  T Fixed() {
    static_assert(std::is_integral_v<T>);
    uint8_t bytes[sizeof(T)];
    for (uint8_t& byte : bytes) byte = Byte();
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }

  // A pointer in one of the DW_EH_PE encodings. Relative to `data_base` where
  // the encoding says so. Indirect and omitted pointers are failures.
  uint64_t EncodedPointer(uint8_t encoding, uint64_t data_base);

 private:
  bool Refill();
  uint64_t Fail() {
    ok_ = false;
    return 0;
  }

  static constexpr size_t kChunkBytes = 64;

  MemoryRef memory_;
  uint64_t position_;
  uint64_t end_;
  uint64_t chunk_start_ = 0;
  size_t chunk_size_ = 0;
  bool ok_;
  uint8_t chunk_[kChunkBytes];
};

}  // namespace pyrometer::unwind
