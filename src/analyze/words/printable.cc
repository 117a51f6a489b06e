// SPDX-License-Identifier: Apache-2.0
#include "analyze/words/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iterator>

namespace pyrometer::analyze {
namespace {

constexpr size_t kTabWidth = 4;

struct Char {
  char32_t code = 0;
  size_t bytes = 1;
  bool valid = false;
};

// The character at the front of `text`, which is not empty.
Char Decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes, true};
}

struct Range {
  char32_t first, last;
};

template <size_t N>
bool In(const Range (&ranges)[N], char32_t code) {
  const Range* it = std::lower_bound(std::begin(ranges), std::end(ranges), code,
                                     [](const Range& r, char32_t c) { return r.last < c; });
  return it != std::end(ranges) && it->first <= code;
}

// Characters that move the cursor or reorder the line.
constexpr Range kUnsafe[] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},
                             {0x061c, 0x061c}, {0x180e, 0x180e},  {0x200b, 0x200f},
                             {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                             {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};

// The blocks of combining marks that occur in practice.
constexpr Range kZeroWidth[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x0941, 0x0948}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x3099, 0x309a},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

// East Asian wide and fullwidth blocks, and emoji.
constexpr Range kWide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},
    {0x26bd, 0x26be},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2b50, 0x2b50},
    {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xa000, 0xa4cf},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff},
    {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f18e, 0x1f19a}, {0x1f1e6, 0x1f320},
    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca},
    {0x1f3e0, 0x1f3f0}, {0x1f400, 0x1f43e}, {0x1f440, 0x1f4fc}, {0x1f4ff, 0x1f53d},
    {0x1f550, 0x1f567}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6d0, 0x1f6d2},
    {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff},
    {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

size_t CharWidth(char32_t code) {
  if (code < 0x300) return 1;
  if (In(kZeroWidth, code)) return 0;
  return In(kWide, code) ? 2 : 1;
}

std::string Escaped(uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), value > 0xff ? "\\u%04x" : "\\x%02x", value);
  return text.data();
}

}  // namespace

Glyph FirstGlyph(std::string_view text) {
  const Char c = Decode(text);
  return {c.bytes, CharWidth(c.code)};
}

std::string Printable(std::string_view text, bool unicode) {
  std::string printable;
  size_t column = 0;
  const auto append = [&](std::string_view piece, size_t columns) {
    printable += piece;
    column += columns;
  };
  while (!text.empty()) {
    const Char c = Decode(text);
    if (c.valid && c.code == '\t') {
      const size_t columns = kTabWidth - column % kTabWidth;
      append(std::string(columns, ' '), columns);
    } else if (!c.valid || In(kUnsafe, c.code)) {
      const uint32_t value =
          c.valid ? static_cast<uint32_t>(c.code) : static_cast<unsigned char>(text.front());
      const std::string escape = Escaped(value);
      append(escape, escape.size());
    } else if (c.code >= 0x80 && !unicode) {
      append("?", 1);
    } else {
      append(text.substr(0, c.bytes), CharWidth(c.code));
    }
    text.remove_prefix(c.bytes);
  }
  return printable;
}

}  // namespace pyrometer::analyze
