// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <string>

namespace pyrometer::export_ {

// A protobuf message that is written field by field, so that only its current field is
// in memory.
//
// Thread-safety: none; one owner. Errors show in the state of `out`.
class MessageStream {
 public:
  explicit MessageStream(std::ostream& out) : out_(out) {}

  // A field that is a message, which `fill` writes.
  template <class Fill>
  void Message(uint32_t field, Fill fill) {
    buffer_.clear();
    protozero::pbf_writer writer(buffer_);
    fill(writer);
    Bytes(field, buffer_);
  }
  void Bytes(uint32_t field, std::string_view bytes) {
    Varint(field << 3 | 2);
    Varint(bytes.size());
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void Number(uint32_t field, uint64_t number) {
    Varint(field << 3);
    Varint(number);
  }

 private:
  void Varint(uint64_t number) {
    std::array<char, protozero::max_varint_length> bytes;
    const auto end = protozero::write_varint(bytes.begin(), number);
    out_.write(bytes.data(), end);
  }

  std::ostream& out_;
  std::string buffer_;
};

}  // namespace pyrometer::export_
