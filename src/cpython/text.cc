// SPDX-License-Identifier: Apache-2.0
#include "cpython/text.h"

#include <cstring>

namespace pyrometer::cpython {
namespace {

void AppendEscape(uint32_t value, std::string* out) {
  const bool is_short = value <= 0xffff;
  *out += is_short ? "\\u" : "\\U";
  for (int shift = is_short ? 12 : 28; shift >= 0; shift -= 4) {
    *out += "0123456789abcdef"[value >> shift & 0xf];
  }
}

void AppendCodePoint(uint32_t c, std::string* out) {
  const auto put = [out](uint32_t byte) { *out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if ((c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff) {
    AppendEscape(c, out);
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

}  // namespace

std::string ToUtf8(std::span<const uint8_t> raw, uint8_t kind) {
  std::string out;
  if (kind != 1 && kind != 2 && kind != 4) return out;
  out.reserve(raw.size() / kind);
  for (size_t i = 0; i + kind <= raw.size(); i += kind) {
    uint32_t c = 0;
    std::memcpy(&c, raw.data() + i, kind);  // little endian, like every supported target
    AppendCodePoint(c, &out);
  }
  return out;
}

}  // namespace pyrometer::cpython
