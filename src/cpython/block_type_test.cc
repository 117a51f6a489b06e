// SPDX-License-Identifier: Apache-2.0
#include "cpython/block_type.h"

#include <gtest/gtest.h>

#include <string>

#include "cpython/fake_memory.h"

namespace pyrometer::cpython {
namespace {

constexpr uint64_t kCollected = 1 << 14;
constexpr uint64_t kManagedDict = 1 << 4;

// Types and objects of CPython 3.12.
class BlockTypeTest : public testing::Test {
 protected:
  BlockTypeTest() : layout_(*FindLayout(0x030c00f0)), objects_(*FindObjectLayout(12, false)) {
    meta_ = Type("type", uint64_t{1} << 31, 900);
  }

  uint64_t Type(const std::string& name, uint64_t flags, uint64_t size) {
    const uint64_t type = memory_.Allocate(4096);
    const uint64_t text = memory_.Allocate(4096);
    memory_.PutText(text, name);
    memory_.Put(type + layout_.object.type, meta_ != 0 ? meta_ : type);
    memory_.Put(type + objects_.type_name, text);
    memory_.Put(type + objects_.type_flags, flags);
    memory_.Put(type + objects_.type_basic_size, size);
    return type;
  }
  // A block of 64 bytes with an object of `type` at `offset`.
  uint64_t Block(uint64_t type, uint64_t offset, uint64_t references = 1) {
    const uint64_t block = memory_.Allocate(64);
    memory_.Put(block + offset, references);
    memory_.Put(block + offset + layout_.object.type, type);
    return block;
  }
  std::string TypeName(uint64_t block, uint64_t bytes = 64, size_t room = 256) {
    std::string text(room, '?');
    const uint64_t type = TypeOfBlock(layout_, objects_, memory_, block, bytes);
    return type == 0 ? "" : std::string(ReadTypeName(objects_, memory_, type, std::span(text)));
  }

  FakeMemory memory_;
  Layout layout_;
  ObjectLayout objects_;
  uint64_t meta_ = 0;
};

TEST_F(BlockTypeTest, ObjectsStandWhereTheirTypeSays) {
  const uint64_t plain = Type("float", 0, 24), list = Type("list", kCollected, 40),
                 user = Type("User", kCollected | kManagedDict, 16);
  EXPECT_EQ(TypeName(Block(plain, 0)), "float");
  EXPECT_EQ(TypeName(Block(list, 16)), "list");
  EXPECT_EQ(TypeName(Block(user, 32)), "User");
  EXPECT_EQ(TypeName(Block(plain, 16)), "");
  EXPECT_EQ(TypeName(Block(list, 0)), "");
  EXPECT_EQ(TypeName(Block(user, 16)), "");
}

TEST_F(BlockTypeTest, ObjectsFitIntoTheirBlock) {
  const uint64_t block = Block(Type("float", 0, 24), 0);
  EXPECT_EQ(TypeName(block, 24), "float");
  EXPECT_EQ(TypeName(block, 23), "");
  EXPECT_EQ(TypeName(block, 0), "");
}

TEST_F(BlockTypeTest, InstancesOfWhatIsNoTypeAreNone) {
  const uint64_t thing = Block(Type("float", 0, 24), 0);
  EXPECT_EQ(TypeName(Block(thing, 0)), "");
  EXPECT_EQ(TypeName(Block(0x123450, 0)), "");
  EXPECT_EQ(TypeName(0x10), "");
}

TEST_F(BlockTypeTest, ListsOfTypesAreNoObjects) {
  const uint64_t type = Type("float", 0, 24);
  EXPECT_EQ(TypeName(Block(type, 0, 0x7f12'3456'7890)), "");
  EXPECT_EQ(TypeName(Block(type, 0, 0x40'1000)), "");
  EXPECT_EQ(TypeName(Block(type, 0, 0)), "");
  EXPECT_EQ(TypeName(Block(type, 0, 0xffff'ffff)), "float");  // immortal
}

TEST_F(BlockTypeTest, LongNamesAreCut) {
  const uint64_t block = Block(Type(std::string(300, 'x'), 0, 24), 0);
  EXPECT_EQ(TypeName(block, 64, 10), std::string(10, 'x'));
  EXPECT_EQ(TypeName(block), std::string(256, 'x'));
}

TEST(IsReferenceCountTest, KnowsTheLayouts) {
  const ObjectLayout gil = *FindObjectLayout(14, false), free = *FindObjectLayout(14, true);
  EXPECT_TRUE(IsReferenceCount(gil, 0x0001'0000'c000'0000));
  EXPECT_FALSE(IsReferenceCount(gil, 0x0000'7f01'c000'0000));
  EXPECT_TRUE(IsReferenceCount(free, 0));
  EXPECT_TRUE(IsReferenceCount(free, ~uint64_t{7}));
  EXPECT_FALSE(IsReferenceCount(free, 0x7f01'c000'0000));
}

}  // namespace
}  // namespace pyrometer::cpython
