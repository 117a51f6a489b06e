// SPDX-License-Identifier: Apache-2.0
#include "export/stream/utf8.h"

#include <cstddef>
#include <cstdint>

namespace pyrometer::export_ {
namespace {

// What a character's first byte says: how many bytes it has, and the range that
// its second byte must be in (it excludes overlong forms, surrogates and all
// beyond U+10FFFF).
struct Lead {
  size_t length = 0;  // 0: begins no character
  uint8_t low = 0x80;
  uint8_t high = 0xbf;
};

Lead LeadOf(uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {0};
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

struct Character {
  size_t bytes;
  bool valid;
};

// The one that `text`, which is not empty, begins with.
Character First(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const Lead lead = LeadOf(byte(0));
  if (lead.length == 0) return {1, false};
  for (size_t i = 1; i < lead.length; ++i) {
    const uint8_t low = i == 1 ? lead.low : 0x80, high = i == 1 ? lead.high : 0xbf;
    if (i == text.size() || byte(i) < low || byte(i) > high) return {i, false};
  }
  return {lead.length, true};
}

}  // namespace

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Character character = First(text);
    valid += character.valid ? text.substr(0, character.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(character.bytes);
  }
  return valid;
}

}  // namespace pyrometer::export_
