// SPDX-License-Identifier: Apache-2.0
#include "cpython/debug_offsets.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace pyrometer::cpython {
namespace {

constexpr uint32_t kVersion = 0x030d05f0;

// A table of 3.13 with plausible offsets, which tests then damage.
class DebugOffsetsTest : public testing::Test {
 protected:
  DebugOffsetsTest() : table_(*FindDebugTable(13)), bytes_(table_.size) {
    std::memcpy(bytes_.data(), "xdebugpy", 8);
    Set(8, kVersion);
    for (const uint16_t size :
         {table_.runtime_size, table_.interpreter_size, table_.thread_size, table_.code_size}) {
      Set(size, 4096);
    }
    Set(table_.frame_size, 80);
    Set(table_.frame_specials_size, 72);
    Set(table_.frame_previous, 8);
    Set(table_.frame_instruction, 56);
    Set(table_.frame_owner, 70);
    Set(table_.code_first_line, 68);
    Set(table_.code_bytecode, 208);
    Set(table_.thread_datastack_chunk, 240);
    Set(table_.interpreter_embedded_gil, 100);
    Set(table_.interpreter_gil_locked, 116);
    Set(table_.interpreter_gil_holder, 108);
    Set(table_.object_type, 8);
    Set(table_.bytes_size, 16);
  }

  void Set(uint16_t position, uint64_t value) {
    std::memcpy(bytes_.data() + position, &value, sizeof value);
  }
  bool Accepts(uint32_t version = kVersion) { return LayoutFromTable(bytes_, version, &layout_); }

  const DebugTable& table_;
  std::vector<uint8_t> bytes_;
  Layout layout_;
};

TEST_F(DebugOffsetsTest, TakesOffsetsAndDerivesTheRest) {
  ASSERT_TRUE(Accepts());
  EXPECT_EQ(layout_.minor, 13);
  EXPECT_EQ(layout_.frame.instruction, 56u);
  EXPECT_EQ(layout_.thread.datastack_top, 248u);
  EXPECT_EQ(layout_.code.frame_words, 76u);
  EXPECT_EQ(layout_.gil.locked, 16u) << "counted from the GIL";
  EXPECT_EQ(layout_.gil.enabled, kAbsent);
}

TEST_F(DebugOffsetsTest, FreeThreadedBuildsHaveAGilSwitch) {
  Set(table_.free_threaded, 1);
  ASSERT_TRUE(Accepts());
  EXPECT_TRUE(layout_.free_threaded);
  EXPECT_NE(layout_.gil.enabled, kAbsent);
}

TEST_F(DebugOffsetsTest, RefusesAWrongCookie) {
  bytes_[0] = 'y';
  EXPECT_FALSE(Accepts());
}

TEST_F(DebugOffsetsTest, RefusesAnotherVersion) { EXPECT_FALSE(Accepts(0x030d06f0)); }

TEST_F(DebugOffsetsTest, RefusesPreReleases) {
  Set(8, 0x030d00c1);
  EXPECT_FALSE(Accepts(0x030d00c1));
}

TEST_F(DebugOffsetsTest, RefusesOffsetsOutsideTheirStructure) {
  Set(table_.thread_frame, 4096);
  EXPECT_FALSE(Accepts());
}

TEST_F(DebugOffsetsTest, RefusesFramesThatDoNotFitTheImage) {
  Set(table_.frame_size, 400);
  Set(table_.frame_specials_size, 200);
  EXPECT_FALSE(Accepts());
}

TEST_F(DebugOffsetsTest, RefusesACutTable) {
  bytes_.pop_back();
  EXPECT_FALSE(Accepts());
}

}  // namespace
}  // namespace pyrometer::cpython
