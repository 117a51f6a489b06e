// SPDX-License-Identifier: Apache-2.0
#include "cpython/find_interpreter.h"

namespace pyrometer::cpython {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void Append(char (&out)[256], size_t* size, std::string_view text) {
  for (const char c : text)
    if (*size + 1 < sizeof out) out[(*size)++] = c;
  out[*size] = '\0';
}

void AppendNumber(char (&out)[256], size_t* size, uint32_t value) {
  char digits[12];
  size_t n = sizeof digits;
  do digits[--n] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  Append(out, size, {digits + n, sizeof digits - n});
}

}  // namespace

uint32_t ParseVersion(std::string_view text) {
  uint32_t part[3] = {0, 0, 0};
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    while (at < text.size() && IsDigit(text[at]))
      part[i] = part[i] * 10 + static_cast<uint32_t>(text[at++] - '0');
    if (at == text.size() || text[at] != '.') break;
    ++at;
  }
  return part[0] << 24 | part[1] << 16 | part[2] << 8 | 0xf0;
}

void WriteUnknownVersion(uint32_t version_hex, char (&out)[256]) {
  size_t size = 0;
  Append(out, &size, "CPython ");
  AppendNumber(out, &size, version_hex >> 24);
  Append(out, &size, ".");
  AppendNumber(out, &size, version_hex >> 16 & 0xff);
  Append(out, &size, ".");
  AppendNumber(out, &size, version_hex >> 8 & 0xff);
  Append(out, &size, " is not a version that pyrometer knows");
}

size_t VersionTextLength(std::string_view text) {
  size_t at = 0;
  const auto number = [&] {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - begin;
  };
  const auto next = [&](char c) {
    if (at == text.size() || text[at] != c) return false;
    ++at;
    return true;
  };
  if (number() != 1 || !next('.')) return 0;
  if (const size_t digits = number(); digits == 0 || digits > 2 || !next('.')) return 0;
  if (const size_t digits = number(); digits == 0 || digits > 2) return 0;
  // A build between releases has a plus sign, others a letter and a number.
  while (at < text.size() && at < kMaxVersionText && text[at] != ' ') ++at;
  const size_t length = at;
  return next(' ') && next('(') ? length : 0;
}

}  // namespace pyrometer::cpython
