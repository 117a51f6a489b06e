// SPDX-License-Identifier: Apache-2.0
#include "unwind/epilogue.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#if defined(__x86_64__)
namespace pyrometer::unwind {
namespace {

using Code = std::vector<uint8_t>;

TEST(EpilogueTest, TrampolineOfPython312) {
  UnwindRow row{};
  ASSERT_TRUE(ReadEpilogue(Code{0x48, 0x83, 0xc4, 0x08, 0xc3}, &row));  // add $8,%rsp; ret
  EXPECT_EQ(row.kind, UnwindRow::Kind::kPlain);
  EXPECT_EQ(row.base, UnwindRow::Base::kSp);
  EXPECT_EQ(row.cfa_offset, 16);
  EXPECT_EQ(row.ra_where, UnwindRow::Where::kAtCfa);
  EXPECT_EQ(row.ra_offset, -8);
  EXPECT_EQ(row.bp_where, UnwindRow::Where::kSame);
}

TEST(EpilogueTest, SavedRegistersAreWhereTheyArePopped) {
  UnwindRow row{};
  // add $0x18,%rsp; pop %rbx; pop %r12; pop %rbp; vzeroupper; ret
  ASSERT_TRUE(ReadEpilogue(
      Code{0x48, 0x83, 0xc4, 0x18, 0x5b, 0x41, 0x5c, 0x5d, 0xc5, 0xf8, 0x77, 0xc3}, &row));
  EXPECT_EQ(row.cfa_offset, 0x18 + 4 * 8);
  EXPECT_EQ(row.aux_where, UnwindRow::Where::kAtSp);
  EXPECT_EQ(row.aux_offset, 0x18);
  EXPECT_EQ(row.bp_where, UnwindRow::Where::kAtSp);
  EXPECT_EQ(row.bp_offset, 0x18 + 2 * 8);
}

TEST(EpilogueTest, AnythingElseIsNotGuessed) {
  UnwindRow row{};
  for (const Code& code : {Code{}, Code{0x48, 0x83, 0xc4}, Code{0x48, 0x83, 0xc4, 0x08},
                           Code{0x48, 0x83, 0xc4, 0xf8, 0xc3}, Code{0x85, 0xc0, 0xc3},
                           Code{0x5c, 0xc3}, Code{0x48, 0x81, 0xc4, 0, 0, 0, 0x10, 0xc3},
                           Code{0xc9, 0xc3}, Code{0xeb, 0x02, 0xc3}, Code{0x41}})
    EXPECT_FALSE(ReadEpilogue(code, &row));
}

TEST(EpilogueTest, AnyBytesEnd) {
  std::mt19937 random{7};
  const uint8_t likely[] = {0x48, 0x83, 0x81, 0xc4, 0x5b, 0x5d, 0x41, 0x5c, 0xc5, 0xf8, 0x77, 0xc3};
  size_t read = 0;
  for (int i = 0; i < 100000; ++i) {
    Code code(random() % (kEpilogueBytes + 1));
    for (uint8_t& byte : code) byte = likely[random() % sizeof likely];
    UnwindRow row{};
    if (!ReadEpilogue(code, &row)) continue;
    EXPECT_GE(row.cfa_offset, 8);
    EXPECT_LT(row.bp_offset, row.cfa_offset);
    ++read;
  }
  EXPECT_GT(read, 1000u);
}

}  // namespace
}  // namespace pyrometer::unwind
#endif
