// SPDX-License-Identifier: Apache-2.0
#include "cpython/layout.h"

#include <gtest/gtest.h>

#include "cpython/opcodes.h"

namespace pyrometer::cpython {
namespace {

TEST(LayoutTest, EveryPatchOfAMinorVersionHasItsLayout) {
  for (uint32_t minor = 8; minor <= 12; ++minor) {
    const Layout* layout = FindLayout(0x030000f0 | minor << 16 | 7 << 8);
    ASSERT_NE(layout, nullptr) << minor;
    EXPECT_EQ(layout->minor, minor);
  }
}

TEST(LayoutTest, OtherVersionsAreUnknown) {
  EXPECT_EQ(FindLayout(0x030712f0), nullptr);
  EXPECT_EQ(FindLayout(0x030d00f0), nullptr) << "3.13 describes itself";
  EXPECT_EQ(FindLayout(0x040800f0), nullptr);
}

TEST(LayoutTest, PreReleasesAreRefused) { EXPECT_EQ(FindLayout(0x030c00c1), nullptr); }

TEST(LayoutTest, OldVersionsHaveObjectFrames) {
  EXPECT_EQ(FindLayout(0x030a00f0)->frame.owner, kAbsent);
  EXPECT_NE(FindLayout(0x030b00f0)->frame.owner, kAbsent);
}

class OpcodesTest : public testing::Test {
 protected:
  bool IsCall(uint16_t minor, uint8_t opcode) {
    Layout layout;
    layout.minor = minor;
    return IsCallOpcode(layout, opcode);
  }
};

// Numbers from dis.opmap of 3.8, 3.12 and 3.13.
TEST_F(OpcodesTest, CallsAreToldFromTheRest) {
  EXPECT_TRUE(IsCall(8, 131)) << "CALL_FUNCTION";
  EXPECT_FALSE(IsCall(8, 162)) << "CALL_FINALLY";
  EXPECT_FALSE(IsCall(8, 100)) << "LOAD_CONST";
  EXPECT_TRUE(IsCall(12, 171)) << "CALL";
  EXPECT_FALSE(IsCall(12, 173)) << "CALL_INTRINSIC_1";
  EXPECT_TRUE(IsCall(13, 53)) << "CALL";
}

TEST_F(OpcodesTest, UnknownVersionsHaveNoCalls) { EXPECT_FALSE(IsCall(7, 131)); }

}  // namespace
}  // namespace pyrometer::cpython
