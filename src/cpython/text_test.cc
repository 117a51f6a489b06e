// SPDX-License-Identifier: Apache-2.0
#include "cpython/text.h"

#include <gtest/gtest.h>

#include <vector>

namespace pyrometer::cpython {
namespace {

template <class Unit>
std::string Utf8(std::vector<Unit> text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  return ToUtf8({bytes, text.size() * sizeof(Unit)}, sizeof(Unit));
}

TEST(TextTest, OneByteIsLatin1) { EXPECT_EQ(Utf8<uint8_t>({'a', 0xe9, 0xff}), "a\u00e9\u00ff"); }

TEST(TextTest, TwoBytes) {
  EXPECT_EQ(Utf8<uint16_t>({'x', 0x7ff, 0x800, 0x540d}), "x\u07ff\u0800\u540d");
}

TEST(TextTest, FourBytes) {
  EXPECT_EQ(Utf8<uint32_t>({0x1f600, 0x10ffff}), "\U0001f600\U0010ffff");
}

TEST(TextTest, LoneSurrogatesAreEscaped) {
  EXPECT_EQ(Utf8<uint16_t>({'a', 0xdce9, 0xd800}), "a\\udce9\\ud800");
}

TEST(TextTest, ValuesBeyondUnicodeAreEscaped) {
  EXPECT_EQ(Utf8<uint32_t>({0x110000}), "\\U00110000");
}

TEST(TextTest, UnknownKindIsEmpty) {
  const uint8_t byte = 'a';
  EXPECT_EQ(ToUtf8({&byte, 1}, 3), "");
}

}  // namespace
}  // namespace pyrometer::cpython
