// SPDX-License-Identifier: Apache-2.0
#include "unwind/row_compiler.h"

#include <gtest/gtest.h>

#include <random>

#include "unwind/fake_image.h"

// The tables in these tests use x86-64 register numbers.
#if defined(__x86_64__)

namespace pyrometer::unwind {
namespace {

using Kind = UnwindRow::Kind;
using Base = UnwindRow::Base;
using Where = UnwindRow::Where;

class RowCompilerTest : public testing::Test {
 protected:
  UnwindRow RowAt(uint64_t offset) const { return RangedAt(offset).row; }
  RangedRow RangedAt(uint64_t offset) const {
    return CompileRow(image_.Build(), image_.module(), FakeImage::kFunction + offset);
  }
  // The range of the row at `offset`, as offsets.
  std::pair<uint64_t, uint64_t> RangeAt(uint64_t offset) const {
    const RangedRow ranged = RangedAt(offset);
    return {ranged.begin - FakeImage::kFunction, ranged.end - FakeImage::kFunction};
  }
  Kind KindAt(uint64_t offset) const { return RowAt(offset).kind; }

  FakeImage image_;
};

TEST_F(RowCompilerTest, FunctionEntry) {
  const UnwindRow row = RowAt(0);
  EXPECT_EQ(row.kind, Kind::kPlain);
  EXPECT_EQ(row.base, Base::kSp);
  EXPECT_EQ(row.cfa_offset, 8);
  EXPECT_EQ(row.ra_where, Where::kAtCfa);
  EXPECT_EQ(row.ra_offset, -8);
  EXPECT_EQ(row.bp_where, Where::kSame);
}

TEST_F(RowCompilerTest, PcOutsideTheFunctionHasNoRow) {
  EXPECT_EQ(KindAt(FakeImage::kFunctionBytes - 1), Kind::kPlain);
  EXPECT_EQ(KindAt(FakeImage::kFunctionBytes), Kind::kNone);
  EXPECT_EQ(CompileRow(image_.Build(), image_.module(), FakeImage::kFunction - 1).row.kind,
            Kind::kNone);
}

TEST_F(RowCompilerTest, AdvanceInEveryWidth) {
  // Offsets 16, 24, 32, 40 from 1, 1+2, 1+2+0x300, 1+2+0x300+0x100 on.
  image_.Function({0x41, 0x0e, 16, 0x02, 2, 0x0e, 24, 0x03, 0x00, 0x03, 0x0e, 32, 0x04, 0x00, 0x01,
                   0x00, 0x00, 0x0e, 40});
  EXPECT_EQ(RowAt(0).cfa_offset, 8);
  EXPECT_EQ(RowAt(1).cfa_offset, 16);
  EXPECT_EQ(RowAt(3).cfa_offset, 24);
  EXPECT_EQ(RowAt(0x302).cfa_offset, 24);
  EXPECT_EQ(RowAt(0x303).cfa_offset, 32);
  EXPECT_EQ(RowAt(0x403).cfa_offset, 40);
  EXPECT_EQ(RangeAt(0), std::pair(0ul, 1ul));
  EXPECT_EQ(RangeAt(2), std::pair(1ul, 3ul));
  EXPECT_EQ(RangeAt(0x302), std::pair(3ul, 0x303ul));
  EXPECT_EQ(RangeAt(0x403), std::pair(0x403ul, FakeImage::kFunctionBytes));
}

TEST_F(RowCompilerTest, PushedFramePointer) {
  image_.Function({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6});
  const UnwindRow row = RowAt(4);
  EXPECT_EQ(row.base, Base::kBp);
  EXPECT_EQ(row.cfa_offset, 16);
  EXPECT_EQ(row.bp_where, Where::kAtCfa);
  EXPECT_EQ(row.bp_offset, -16);
}

TEST_F(RowCompilerTest, RememberAndRestoreCoverTheCfaToo) {
  image_.Function({0x41, 0x0e, 16, 0x86, 2, 0x41, 0x0a, 0x0e, 8, 0xc6, 0x41, 0x0b});
  EXPECT_EQ(RowAt(2).cfa_offset, 8);
  EXPECT_EQ(RowAt(2).bp_where, Where::kSame);
  EXPECT_EQ(RowAt(3).cfa_offset, 16);
  EXPECT_EQ(RowAt(3).bp_where, Where::kAtCfa);
}

TEST_F(RowCompilerTest, SignedAndExtendedOffsets) {
  // offset_extended rbp 2; then offset_extended_sf rbp -3 (times -8).
  image_.Function({0x05, 6, 2, 0x41, 0x11, 6, 0x7d, 0x41, 0x12, 6, 0x7e, 0x41, 0x2f, 6, 5});
  EXPECT_EQ(RowAt(0).bp_offset, -16);
  EXPECT_EQ(RowAt(1).bp_offset, 24);
  EXPECT_EQ(RowAt(2).base, Base::kBp);
  EXPECT_EQ(RowAt(2).cfa_offset, 16);
  EXPECT_EQ(RowAt(3).bp_offset, 40);
}

TEST_F(RowCompilerTest, RealignedStackLoadsTheCfa) {
  // def_cfa_expression: breg6 -8, deref.
  image_.Function({0x0f, 3, 0x76, 0x78, 0x06});
  const UnwindRow row = RowAt(0);
  EXPECT_EQ(row.kind, Kind::kDeref);
  EXPECT_EQ(row.base, Base::kBp);
  EXPECT_EQ(row.cfa_offset, -8);
  EXPECT_EQ(row.cfa_addend, 0);
}

TEST_F(RowCompilerTest, SavedStackPointerPlusConstant) {
  // breg7 152, deref, plus_uconst 8: how OpenSSL's assembly describes itself.
  image_.Function({0x0f, 6, 0x77, 0x98, 0x01, 0x06, 0x23, 8});
  const UnwindRow row = RowAt(0);
  EXPECT_EQ(row.kind, Kind::kDeref);
  EXPECT_EQ(row.base, Base::kSp);
  EXPECT_EQ(row.cfa_offset, 152);
  EXPECT_EQ(row.cfa_addend, 8);
}

TEST_F(RowCompilerTest, LinkerStubExpressionDependsOnThePc) {
  // sp + 8 + ((ip & 15) >= 11) * 8
  image_.Function({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22});
  EXPECT_EQ(RowAt(0x10).cfa_offset, 8);
  EXPECT_EQ(RowAt(0x1a).cfa_offset, 8);
  EXPECT_EQ(RowAt(0x1b).cfa_offset, 16);
}

TEST_F(RowCompilerTest, SignalFrame) {
  // CFA = *(sp + 160); rip at sp + 168; rbp at sp + 120; rbx at CFA - 4.
  image_.Augmentation("zRS").Function({0x0f, 4,    0x77, 0xa0, 0x01, 0x06, 0x10, 16,
                                       3,    0x77, 0xa8, 0x01, 0x10, 6,    3,    0x77,
                                       0xf8, 0x00, 0x10, 3,    2,    0x34, 0x1c});
  const UnwindRow row = RowAt(0);
  EXPECT_TRUE(row.is_signal_frame);
  EXPECT_EQ(row.ra_where, Where::kAtSp);
  EXPECT_EQ(row.ra_offset, 168);
  EXPECT_EQ(row.bp_where, Where::kAtSp);
  EXPECT_EQ(row.bp_offset, 120);
  EXPECT_EQ(row.aux_where, Where::kAtCfa);
  EXPECT_EQ(row.aux_offset, -4);
}

TEST_F(RowCompilerTest, UndefinedReturnAddressIsTheRoot) {
  image_.Function({0x07, 16});
  EXPECT_EQ(KindAt(0), Kind::kRoot);
}

TEST_F(RowCompilerTest, RulesBeyondRowsLoseOnlyTheirRegister) {
  // rbp in rax; val_offset rbx 2; args_size 32; val_expression rcx.
  image_.Function({0x09, 6, 0, 0x14, 3, 2, 0x2e, 32, 0x16, 2, 1, 0x30, 0x41, 0x08, 6});
  EXPECT_EQ(KindAt(0), Kind::kPlain);
  EXPECT_EQ(RowAt(0).bp_where, Where::kUnknown);
  EXPECT_EQ(RowAt(0).aux_where, Where::kUnknown);
  EXPECT_EQ(RowAt(1).bp_where, Where::kSame);
}

TEST_F(RowCompilerTest, WhatCannotBeExpressedHasNoRow) {
  EXPECT_EQ((image_.Function({0x0d, 10}), KindAt(0)), Kind::kNone);       // CFA from r10
  EXPECT_EQ((image_.Function({0x3f}), KindAt(0)), Kind::kNone);           // unknown instruction
  EXPECT_EQ((image_.Function({0x0b}), KindAt(0)), Kind::kNone);           // restores nothing
  EXPECT_EQ((image_.Function({0x09, 16, 0}), KindAt(0)), Kind::kNone);    // return address in rax
  EXPECT_EQ((image_.Function({0x0f, 1, 0x06}), KindAt(0)), Kind::kNone);  // empty stack
  EXPECT_EQ((image_.Function({0x0f, 9, 0x30}), KindAt(0)), Kind::kNone);  // expression too long
  EXPECT_EQ((image_.Function({0x0e, 0x80}), KindAt(0)), Kind::kNone);     // operand cut off
}

TEST_F(RowCompilerTest, UnknownAugmentationIsRefused) {
  image_.Augmentation("zX");
  EXPECT_EQ(KindAt(0), Kind::kNone);
}

TEST_F(RowCompilerTest, EveryTruncationIsNoticed) {
  image_.Function({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6});
  const FakeMemory memory = image_.Build();
  Module module = image_.module();
  ASSERT_EQ(CompileRow(memory, module, FakeImage::kFunction + 9).row.kind, Kind::kPlain);
  while (--module.end > module.start) {
    EXPECT_EQ(CompileRow(memory, module, FakeImage::kFunction + 9).row.kind, Kind::kNone);
  }
}

TEST_F(RowCompilerTest, UnreadableTablesAreNoticed) {
  FakeMemory memory = image_.Build();
  memory.bytes().resize(0x30);
  EXPECT_EQ(CompileRow(memory, image_.module(), FakeImage::kFunction).row.kind, Kind::kNone);
}

TEST_F(RowCompilerTest, EveryFlippedByteEnds) {
  image_.Augmentation("zRS").Function({0x0f, 4, 0x77, 0xa0, 0x01, 0x06, 0x41, 0x0a, 0x86, 2, 0x0b});
  FakeMemory memory = image_.Build();
  const Module module = image_.module();
  for (uint8_t& byte : memory.bytes()) {
    const uint8_t original = byte;
    for (int value = 0; value < 256; ++value) {
      byte = static_cast<uint8_t>(value);
      CompileRow(memory, module, FakeImage::kFunction + 9);
    }
    byte = original;
  }
}

TEST_F(RowCompilerTest, RandomTablesEnd) {
  std::mt19937_64 random(20240607);
  FakeMemory memory = image_.Build();
  memory.bytes().resize(512);
  const Module module{FakeImage::kBase, FakeImage::kBase + 512, FakeImage::kBase};
  const FakeMemory original = memory;
  for (int round = 0; round < 20000; ++round) {
    memory = original;
    const size_t from = random() % 100;
    for (size_t i = from; i < memory.bytes().size(); ++i) {
      if (random() % 4 != 0) memory.bytes()[i] = static_cast<uint8_t>(random());
    }
    CompileRow(memory, module, FakeImage::kFunction + random() % 64);
  }
}

}  // namespace
}  // namespace pyrometer::unwind

#endif
