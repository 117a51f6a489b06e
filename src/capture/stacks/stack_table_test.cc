// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/stack_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/memory_sink.h"

namespace pyrometer::capture {
namespace {

using ::testing::Contains;
using ::testing::Not;

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

TEST_F(StackTableTest, KeepsWhatIsOnTheStacksOfATool) {
  const std::string tool = "/v/lib/python3.12/site-packages/tool/main.py";
  const std::string rare = "/v/lib/python3.12/site-packages/tool/rare.py";
  const auto stub = table_.Code("/v/bin/tool", "<module>", 1);
  const auto main = table_.Code(tool, "main", 1), seldom = table_.Code(rare, "f", 1);
  const auto leaf = table_.Code("/usr/lib/python3.12/json/decoder.py", "raw_decode", 3);
  for (int i = 0; i < 100; ++i) {
    auto stack = table_.Stack(format::kEmptyStack, table_.PythonFrame(stub, 5));
    stack = table_.Stack(stack, table_.PythonFrame(main, 7));
    if (i < 4) stack = table_.Stack(stack, table_.PythonFrame(seldom, 2));
    table_.Stack(stack, table_.PythonFrame(leaf, 9));
    table_.CountLeaf(leaf);
  }
  EXPECT_THAT(table_.SourceFiles(), Contains(tool));
  EXPECT_THAT(table_.SourceFiles(), Not(Contains(rare)));
  // The same under a program of the user.
  const auto own = table_.Code("/srv/a.py", "f", 3);
  for (int i = 0; i < 100; ++i) {
    const auto stack = table_.Stack(format::kEmptyStack, table_.PythonFrame(own, 5));
    table_.Stack(stack, table_.PythonFrame(main, 7));
  }
  EXPECT_THAT(table_.SourceFiles(), Not(Contains(tool)));
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
