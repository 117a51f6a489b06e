// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/input/byte_input.h"

namespace pyrometer::import_ {

// The fields of a protobuf message that is too large to be in memory: those that are
// messages or texts themselves, one after the other. Others are skipped.
//
// `bytes` must outlive it. Thread-safety: none; one owner.
class MessageInput {
 public:
  static constexpr size_t kMaxField = size_t{512} << 20;

  explicit MessageInput(ByteInput& bytes) : bytes_(bytes) {}

  struct Field {
    uint32_t number = 0;
    std::string_view bytes{};
  };
  // The next field, valid until the next call; empty at the end, and after an error.
  std::optional<Field> Next();
  // What ended the fields before their end, if anything.
  base::Status status() const { return trouble_ ? base::Error{trouble_} : bytes_.status(); }

 private:
  // Has `size` bytes at least in ahead_, if there are so many.
  bool Fill(size_t size);
  // The number at the front of ahead_, and how many bytes it takes; 0: it is none.
  size_t Varint(uint64_t& number);
  void Drop(size_t size);

  ByteInput& bytes_;
  std::string buffer_;
  std::string_view ahead_;  // in buffer_, or in what bytes_ gave last
  const char* trouble_ = nullptr;
};

}  // namespace pyrometer::import_
