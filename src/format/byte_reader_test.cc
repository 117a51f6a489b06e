// SPDX-License-Identifier: Apache-2.0
#include "format/byte_reader.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include "format/byte_writer.h"

namespace pyrometer::format {
namespace {

class ByteReaderTest : public ::testing::Test {
 protected:
  ByteReader Reading(std::initializer_list<uint8_t> bytes) {
    bytes_ = bytes;
    return ByteReader(bytes_);
  }

  std::vector<uint8_t> bytes_;
};

TEST_F(ByteReaderTest, ReadsWhatWasWritten) {
  constexpr std::string_view kText("a\0b", 3);
  ByteWriter out;
  out.Fixed(uint32_t{0xdeadbeef});
  out.Varint(std::numeric_limits<uint64_t>::max());
  out.Signed(std::numeric_limits<int64_t>::min());
  out.Text(kText);
  ByteReader in(out.bytes());
  EXPECT_EQ(in.Fixed<uint32_t>(), 0xdeadbeef);
  EXPECT_EQ(in.Varint(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(in.Signed(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(in.Text(), kText);
  EXPECT_TRUE(in.ok() && in.AtEnd());
}

TEST_F(ByteReaderTest, FixedIsLittleEndian) {
  EXPECT_EQ(Reading({0x01, 0x02}).Fixed<uint16_t>(), 0x0201);
}

TEST_F(ByteReaderTest, TextLongerThanTheRestFails) {
  ByteReader in = Reading({5, 'a', 'b'});
  EXPECT_EQ(in.Text(), "");
  EXPECT_FALSE(in.ok());
}

TEST_F(ByteReaderTest, StaysFailed) {
  ByteReader in = Reading({0x80});
  in.Varint();
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.Byte(), 0);
  EXPECT_FALSE(in.ok());
}

TEST_F(ByteReaderTest, U32RefusesLargerValues) {
  ByteReader fits = Reading({0xff, 0xff, 0xff, 0xff, 0x0f});
  EXPECT_EQ(fits.U32(), std::numeric_limits<uint32_t>::max());
  EXPECT_TRUE(fits.ok());
  ByteReader too_large = Reading({0x80, 0x80, 0x80, 0x80, 0x10});
  too_large.U32();
  EXPECT_FALSE(too_large.ok());
}

TEST_F(ByteReaderTest, I32RefusesLargerValues) {
  ByteReader in = Reading({0x80, 0x80, 0x80, 0x80, 0x10});
  in.I32();
  EXPECT_FALSE(in.ok());
}

TEST_F(ByteReaderTest, NothingToReadIsSafe) {
  ByteReader in({});
  EXPECT_EQ(in.Fixed<uint32_t>(), 0u);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace pyrometer::format
