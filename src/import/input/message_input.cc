// SPDX-License-Identifier: Apache-2.0
#include "import/input/message_input.h"

#include <algorithm>

namespace pyrometer::import_ {
namespace {

constexpr size_t kMaxVarint = 10;
constexpr const char kCutOff[] = "the file is cut off";

}  // namespace

bool MessageInput::Fill(size_t size) {
  if (ahead_.size() >= size) return true;
  // Pieces of the input are used where they are unless a field goes on in the next one.
  std::string joined(ahead_);
  while (joined.size() < size) {
    const std::string_view piece = bytes_.Next();
    if (piece.empty()) break;
    if (joined.empty() && piece.size() >= size) {
      ahead_ = piece;
      return true;
    }
    joined += piece;
  }
  buffer_ = std::move(joined);
  ahead_ = buffer_;
  return ahead_.size() >= size;
}

size_t MessageInput::Varint(uint64_t& number) {
  Fill(kMaxVarint);
  number = 0;
  for (size_t i = 0; i < std::min(ahead_.size(), kMaxVarint); ++i) {
    const auto byte = static_cast<uint8_t>(ahead_[i]);
    number |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) return i + 1;
  }
  return 0;
}

void MessageInput::Drop(size_t size) {
  while (size > ahead_.size()) {
    size -= ahead_.size();
    ahead_ = bytes_.Next();
    if (!ahead_.empty()) continue;
    trouble_ = kCutOff;
    return;
  }
  ahead_.remove_prefix(size);
}

std::optional<MessageInput::Field> MessageInput::Next() {
  enum : uint8_t { kNumber = 0, kEight = 1, kBytes = 2, kFour = 5 };
  while (trouble_ == nullptr) {
    if (!Fill(1)) return {};
    uint64_t tag = 0, size = 0;
    size_t taken = Varint(tag);
    if (taken == 0) {
      trouble_ = kCutOff;
      return {};
    }
    Drop(taken);
    switch (tag & 7) {
      case kNumber:
      case kBytes:
        taken = Varint(size);
        if (taken == 0) trouble_ = kCutOff;
        break;
      case kEight:
        taken = 8;
        break;
      case kFour:
        taken = 4;
        break;
      default:
        trouble_ = "the file is damaged";
    }
    if (trouble_ != nullptr) return {};
    Drop(taken);
    if ((tag & 7) != kBytes) continue;
    if (size > kMaxField) {
      trouble_ = "a part of it is absurdly large";
      return {};
    }
    if (!Fill(size)) {
      trouble_ = kCutOff;
      return {};
    }
    const Field field{static_cast<uint32_t>(std::min<uint64_t>(tag >> 3, 0xffffffff)),
                      ahead_.substr(0, size)};
    ahead_.remove_prefix(size);
    return field;
  }
  return {};
}

}  // namespace pyrometer::import_
