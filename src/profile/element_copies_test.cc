// SPDX-License-Identifier: Apache-2.0
#include "profile/element_copies.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace pyrometer::profile {
namespace {

bool IsCopy(const std::vector<std::string_view>& functions) { return IsElementCopy(functions); }

TEST(ElementCopies, AreAllocatedByFunctionsThatOnlyCopy) {
  EXPECT_TRUE(IsCopy({"list_slice", "list_subscript"}));
  EXPECT_TRUE(IsCopy({"_PyObject_GC_NewVar", "tupleconcat"}));
  EXPECT_TRUE(IsCopy({"set_table_resize", "set_merge_lock_held", "make_new_set"}));
  EXPECT_TRUE(IsCopy({"set_table_resize", "set_update_internal", "set_copy"}));
  EXPECT_TRUE(IsCopy({"_PyObject_GC_NewVar", "_PyTuple_FromArray", "PySequence_Tuple"}));
}

TEST(ElementCopies, WhatElseIsMadeMeanwhileIsNone) {
  EXPECT_FALSE(IsCopy({}));
  EXPECT_FALSE(IsCopy({"malloc"}));
  EXPECT_FALSE(IsCopy({"", "list_slice"}));  // somebody without a name is in between
  EXPECT_FALSE(IsCopy({"PyLong_FromLong", "map_next", "list_extend_lock_held"}));
  EXPECT_FALSE(IsCopy({"set_table_resize", "set_update_internal", "set_init"}));
  EXPECT_FALSE(IsCopy({"PyTuple_New", "PySequence_Tuple"}));
  EXPECT_FALSE(IsCopy({"list_extend", "list_vectorcall"}));
}

// A Python line, and on it `function` of a library.
class ElementCopiesTest : public ::testing::Test {
 protected:
  explicit ElementCopiesTest() {
    profile_.strings = {"", "list_slice.part.0"};
    profile_.frames.resize(2);
    profile_.frames[1].kind = format::FrameKind::kNative;
    profile_.stacks = {
        {}, {format::kEmptyStack, format::FrameId(0)}, {format::StackId(1), format::FrameId(1)}};
    profile_.symbols = {{format::FrameId(1), {{.function = format::StringId(1)}}}};
    profile_.memory_changes = {Change(1), Change(2)};
  }
  static format::MemoryChange Change(uint32_t stack) {
    format::MemoryChange change;
    change.time_ns = 7;
    change.stack = format::StackId(stack);
    change.kind = format::MemoryKind::kNative;
    change.allocated = {100, 1, 1, 0};
    change.freed = {60, 1, 1, 0};
    change.high_bytes = 100;
    return change;
  }

  Profile profile_;
};

TEST_F(ElementCopiesTest, GetATwinOfTheirAllocation) {
  AddElementCopies(profile_);
  ASSERT_EQ(profile_.memory_changes.size(), 3u);
  const format::MemoryChange& copy = profile_.memory_changes[2];
  EXPECT_EQ(copy.kind, format::MemoryKind::kCopied);
  EXPECT_EQ(copy.stack, format::StackId(2));
  EXPECT_EQ(copy.time_ns, 7u);
  EXPECT_EQ(copy.allocated.bytes, 100u);
  EXPECT_EQ(copy.freed, format::MemoryAmount());
  EXPECT_EQ(copy.high_bytes, 0u);
}

TEST_F(ElementCopiesTest, AreAddedOnce) {
  AddElementCopies(profile_);
  AddElementCopies(profile_);
  EXPECT_EQ(profile_.memory_changes.size(), 3u);
}

}  // namespace
}  // namespace pyrometer::profile
