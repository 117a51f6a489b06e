// SPDX-License-Identifier: Apache-2.0
#include "unwind/byte_cursor.h"

#include <algorithm>

#include "unwind/dwarf_constants.h"

namespace pyrometer::unwind {
namespace {

// No encoding of 64 bits needs more; longer ones are padding or hostile.
constexpr unsigned kMaxLebBits = 70;

}  // namespace

bool ByteCursor::Refill() {
  // Not beyond the page: the next one may be a hole between two segments.
  constexpr uint64_t kPageBytes = 4096;
  const uint64_t to_page_end = kPageBytes - position_ % kPageBytes;
  const uint64_t size = std::min({uint64_t{kChunkBytes}, end_ - position_, to_page_end});
  if (!memory_.Read(position_, chunk_, size)) return false;
  chunk_start_ = position_;
  chunk_size_ = size;
  return true;
}

uint64_t ByteCursor::Uleb() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < kMaxLebBits; shift += 7) {
    const uint8_t byte = Byte();
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return ok_ ? value : 0;
  }
  return Fail();
}

int64_t ByteCursor::Sleb() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < kMaxLebBits; shift += 7) {
    const uint8_t byte = Byte();
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
    return ok_ ? static_cast<int64_t>(value) : 0;
  }
  return static_cast<int64_t>(Fail());
}

void ByteCursor::Skip(uint64_t count) {
  if (!ok_ || count > end_ - position_) {
    Fail();
    return;
  }
  position_ += count;
}

uint64_t ByteCursor::EncodedPointer(uint8_t encoding, uint64_t data_base) {
  const uint64_t here = position_;
  uint64_t value = 0;
  switch (encoding & kPointerFormatMask) {
    case kPointerAbsolute:
    case kPointerUdata8:
    case kPointerSdata8:
      value = Fixed<uint64_t>();
      break;
    case kPointerUleb:
      value = Uleb();
      break;
    case kPointerSleb:
      value = static_cast<uint64_t>(Sleb());
      break;
    case kPointerUdata2:
      value = Fixed<uint16_t>();
      break;
    case kPointerSdata2:
      value = static_cast<uint64_t>(int64_t{Fixed<int16_t>()});
      break;
    case kPointerUdata4:
      value = Fixed<uint32_t>();
      break;
    case kPointerSdata4:
      value = static_cast<uint64_t>(int64_t{Fixed<int32_t>()});
      break;
    default:
      return Fail();
  }
  switch (encoding & kPointerBaseMask) {
    case 0:
      break;
    case kPointerPcRelative:
      value += here;
      break;
    case kPointerDataRelative:
      value += data_base;
      break;
    default:
      return Fail();
  }
  return ok_ ? value : 0;
}

}  // namespace pyrometer::unwind
