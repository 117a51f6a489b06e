// SPDX-License-Identifier: Apache-2.0
#include "export/page/column_section.h"

namespace pyrometer::export_ {

void SectionBytes::Flush() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  out_.append(reinterpret_cast<const char*>(buffer_.data()), used_);
  used_ = 0;
}

void SectionBytes::Bytes(std::string_view bytes) {
  Flush();
  out_ += bytes;
}

void SectionBytes::Byte(uint8_t byte) {
  if (used_ == buffer_.size()) Flush();
  buffer_[used_++] = byte;
}

void SectionBytes::U32(uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) Byte(static_cast<uint8_t>(value >> shift));
}

void SectionBytes::Header(std::string_view name, SectionEncoding encoding, uint64_t count,
                          uint64_t byte_length) {
  Byte(static_cast<uint8_t>(name.size()));
  for (const char c : name) Byte(static_cast<uint8_t>(c));
  Byte(static_cast<uint8_t>(encoding));
  Varint(count);
  Varint(byte_length);
  Flush();
  out_.reserve(out_.size() + byte_length);
}

}  // namespace pyrometer::export_
