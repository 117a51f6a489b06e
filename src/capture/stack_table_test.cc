// SPDX-License-Identifier: Apache-2.0
#include "capture/stack_table.h"

#include <gtest/gtest.h>

#include "format/memory_sink.h"

namespace pyrometer::capture {
namespace {

class StackTableTest : public testing::Test {
 protected:
  StackTableTest() : writer_(sink_, {}), table_(writer_) {}
  format::MemorySink sink_;
  format::CaptureWriter writer_;
  StackTable table_;
};

TEST_F(StackTableTest, EqualThingsHaveOneId) {
  const auto code = table_.Code("a.py", "f", 3);
  EXPECT_EQ(table_.Code("a.py", "f", 3), code);
  EXPECT_NE(table_.Code("a.py", "f", 4), code);
  const auto frame = table_.PythonFrame(code, 5);
  EXPECT_EQ(table_.PythonFrame(code, 5), frame);
  EXPECT_NE(table_.PythonFrame(code, 6), frame);
  const auto stack = table_.Stack(format::kEmptyStack, frame);
  EXPECT_EQ(table_.Stack(format::kEmptyStack, frame), stack);
  EXPECT_NE(table_.Stack(stack, frame), stack);
}

TEST_F(StackTableTest, ListsEachSourceOnce) {
  table_.Code("a.py", "f", 3);
  table_.Code("a.py", "g", 9);
  table_.Code("b.py", "f", 3);
  EXPECT_EQ(table_.SourceFiles(), (std::vector<std::string>{"a.py", "b.py"}));
}

TEST_F(StackTableTest, KeepsLibrarySourcesOnlyWhereTheTimeIs) {
  const auto own = table_.Code("a.py", "f", 3);
  const auto hot = table_.Code("/usr/lib/python3.12/json/decoder.py", "raw_decode", 3);
  const auto cold = table_.Code("/usr/lib/python3.12/os.py", "walk", 9);
  for (int i = 0; i < 1000; ++i) table_.CountLeaf(hot);
  table_.CountLeaf(cold);
  table_.CountLeaf(own);
  EXPECT_EQ(table_.SourceFiles(),
            (std::vector<std::string>{"/usr/lib/python3.12/json/decoder.py", "a.py"}));
}

TEST_F(StackTableTest, KeepsSourcesOfProfiledFunctions) {
  for (int i = 0; i < 1000; ++i) table_.CountLeaf(table_.Code("a.py", "f", 3));
  table_.MarkProfiled(table_.Code("/usr/lib/python3.12/os.py", "walk", 9), false);
  EXPECT_EQ(table_.SourceFiles(), (std::vector<std::string>{"/usr/lib/python3.12/os.py", "a.py"}));
}

TEST_F(StackTableTest, RemembersNativeFramesForNaming) {
  const auto module = table_.Module("/lib/x.so", "id", false);
  const auto frame = table_.NativeFrame(module, 0x40);
  EXPECT_EQ(table_.NativeFrame(module, 0x40), frame);
  ASSERT_EQ(table_.native_frames().size(), 1u);
  EXPECT_EQ(table_.FactsOf(table_.native_frames()[0].module).path, "/lib/x.so");
}

}  // namespace
}  // namespace pyrometer::capture
