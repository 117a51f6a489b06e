// SPDX-License-Identifier: Apache-2.0
#include "cpython/code_object.h"

#include <gtest/gtest.h>

#include "cpython/fake_memory.h"

namespace pyrometer::cpython {
namespace {

class CodeObjectTest : public testing::Test {
 protected:
  CodeObjectTest() : layout_(*FindLayout(0x030c00f0)), code_(memory_.Allocate(512)) {
    layout_.type_code = 0x5000;
    memory_.Put<uint64_t>(code_ + layout_.object.type, layout_.type_code);
    memory_.Put<int64_t>(code_ + layout_.object.var_size, 20);
    memory_.Put<int32_t>(code_ + layout_.code.frame_words, 12);
    memory_.Put<int32_t>(code_ + layout_.code.first_line, 7);
    memory_.Put<uint64_t>(code_ + layout_.code.filename, 0x7000);
    memory_.Put<uint64_t>(code_ + layout_.code.qualname, 0x7100);
    memory_.Put<uint64_t>(code_ + layout_.code.line_table, 0x7200);
  }

  bool Reads() { return ReadCodeHead(layout_, memory_, code_, &head_); }

  FakeMemory memory_;
  Layout layout_;
  uint64_t code_;
  CodeHead head_;
};

TEST_F(CodeObjectTest, ReadsTheHead) {
  ASSERT_TRUE(Reads());
  EXPECT_EQ(head_.first_line, 7);
  EXPECT_EQ(head_.bytecode, code_ + layout_.code.bytecode);
  EXPECT_EQ(head_.bytecode_size, 40u);
}

TEST_F(CodeObjectTest, RefusesOtherTypes) {
  memory_.Put<uint64_t>(code_ + layout_.object.type, 0x5008);
  EXPECT_FALSE(Reads());
}

TEST_F(CodeObjectTest, RefusesImplausibleFields) {
  memory_.Put<int64_t>(code_ + layout_.object.var_size, -1);
  EXPECT_FALSE(Reads());
}

TEST_F(CodeObjectTest, RefusesUnreadableMemory) {
  code_ = 0x40;
  EXPECT_FALSE(Reads());
}

TEST_F(CodeObjectTest, IdentityChangesWithEveryField) {
  ASSERT_TRUE(Reads());
  CodeHead other = head_;
  other.first_line = 8;
  EXPECT_NE(other.Identity(), head_.Identity());
  other = head_;
  std::swap(other.filename, other.qualname);
  EXPECT_NE(other.Identity(), head_.Identity());
}

class TextViewTest : public testing::Test {
 protected:
  TextViewTest() : layout_(*FindLayout(0x030c00f0)), text_(memory_.Allocate(128)) {}

  bool Reads(uint32_t kind, bool compact, bool ascii) {
    const uint32_t state = kind << layout_.unicode.kind_shift |
                           static_cast<uint32_t>(compact) << layout_.unicode.compact_shift |
                           static_cast<uint32_t>(ascii) << layout_.unicode.ascii_shift;
    memory_.Put(text_ + layout_.unicode.state, state);
    memory_.Put<int64_t>(text_ + layout_.unicode.length, 5);
    return ReadText(layout_, memory_, text_, &view_);
  }

  FakeMemory memory_;
  Layout layout_;
  uint64_t text_;
  TextView view_;
};

TEST_F(TextViewTest, AsciiFollowsTheShortHeader) {
  ASSERT_TRUE(Reads(1, true, true));
  EXPECT_EQ(view_.data, text_ + layout_.unicode.ascii_size);
  EXPECT_EQ(view_.length, 5u);
}

TEST_F(TextViewTest, WideTextFollowsTheLongHeader) {
  ASSERT_TRUE(Reads(2, true, false));
  EXPECT_EQ(view_.data, text_ + layout_.unicode.compact_size);
  EXPECT_EQ(view_.kind, 2);
}

TEST_F(TextViewTest, OtherTextIsPointedTo) {
  memory_.Put<uint64_t>(text_ + layout_.unicode.compact_size, 0x9000);
  ASSERT_TRUE(Reads(4, false, false));
  EXPECT_EQ(view_.data, 0x9000u);
}

TEST_F(TextViewTest, RefusesUnknownKinds) { EXPECT_FALSE(Reads(3, true, false)); }

}  // namespace
}  // namespace pyrometer::cpython
