// SPDX-License-Identifier: Apache-2.0
#include "cpython/loop_jump.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpython/fake_memory.h"

namespace pyrometer::cpython {
namespace {

class LoopJumpTest : public testing::TestWithParam<uint16_t> {
 protected:
  LoopJumpTest() : objects_(*FindObjectLayout(GetParam(), false)) {}

  // The start of the loop that the last of these code units ends.
  std::optional<uint32_t> Start(const std::vector<std::pair<uint32_t, uint8_t>>& units) {
    constexpr uint32_t kUnits = 200;  // of something else in front
    const uint32_t bytes = 2 * (kUnits + static_cast<uint32_t>(units.size()));
    const uint64_t bytecode = memory_.Allocate(bytes);
    uint64_t at = bytecode + 2 * kUnits;
    for (const auto& [opcode, argument] : units) {
      memory_.Put(at, static_cast<uint8_t>(opcode));
      memory_.Put(at + 1, argument);
      at += 2;
    }
    return FindLoopStart(objects_, memory_, {.bytecode = bytecode, .bytecode_size = bytes},
                         bytes - 2);
  }
  // The argument that leads from the end of `units` code units to byte offset `target`.
  uint32_t Argument(uint32_t target, uint32_t units) const {
    return GetParam() == 10 ? target / 2 : (400 + 2 * units - target) / 2;
  }

  FakeMemory memory_;
  const ObjectLayout& objects_;
};

TEST_P(LoopJumpTest, LeadsBack) {
  for (const uint32_t opcode : {objects_.loop_jump_opcode, objects_.loop_jump_variant})
    EXPECT_EQ(Start({{opcode, static_cast<uint8_t>(Argument(380, 1))}}), 380u);
}

TEST_P(LoopJumpTest, LeadsFarBack) {
  const uint32_t far = Argument(4, 2);
  for (const uint32_t opcode : {objects_.extended_arg_opcode, objects_.extended_arg_variant})
    EXPECT_EQ(Start({{opcode, static_cast<uint8_t>(far >> 8)},
                     {objects_.loop_jump_opcode, static_cast<uint8_t>(far)}}),
              4u);
}

TEST_P(LoopJumpTest, OtherInstructionsAndJumpsOutOfTheCodeDoNot) {
  EXPECT_EQ(Start({{objects_.extended_arg_opcode, 1}}), std::nullopt);
  EXPECT_EQ(Start({{objects_.extended_arg_opcode, 200}, {objects_.loop_jump_opcode, 1}}),
            std::nullopt);
}

TEST_P(LoopJumpTest, CodeThatIsGoneDoesNot) {
  EXPECT_EQ(FindLoopStart(objects_, memory_, {.bytecode = 8, .bytecode_size = 100}, 10),
            std::nullopt);
  EXPECT_EQ(FindLoopStart(objects_, memory_, {.bytecode = 8, .bytecode_size = 100}, 99),
            std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Versions, LoopJumpTest, testing::Values(10, 11, 12));

TEST(LoopJump, OtherVersionsHaveLinesForThem) {
  for (const uint16_t minor : {8, 9, 13, 14})
    EXPECT_EQ(FindObjectLayout(minor, false)->loop_jump_opcode, 0u);
}

}  // namespace
}  // namespace pyrometer::cpython
