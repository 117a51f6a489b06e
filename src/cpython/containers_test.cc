// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpython/fake_memory.h"
#include "cpython/instance.h"
#include "cpython/integer.h"
#include "cpython/name_lookup.h"
#include "cpython/set_table.h"

namespace pyrometer::cpython {
namespace {

// Dictionaries, sets and instances of CPython 3.12.
class ContainersTest : public testing::Test {
 protected:
  ContainersTest() : layout_(*FindLayout(0x030c00f0)), objects_(*FindObjectLayout(12, false)) {}

  uint64_t Text(const std::string& text) {
    const uint64_t at = memory_.Allocate(layout_.unicode.ascii_size + text.size() + 1);
    memory_.Put(at + layout_.unicode.length, uint64_t{text.size()});
    memory_.Put(at + layout_.unicode.state, 1u << layout_.unicode.kind_shift |
                                                1u << layout_.unicode.compact_shift |
                                                1u << layout_.unicode.ascii_shift);
    memory_.PutText(at + layout_.unicode.ascii_size, text);
    return at;
  }

  // A keys object for str keys with eight slots.
  uint64_t Keys(const std::vector<std::pair<std::string, uint64_t>>& entries) {
    const uint64_t keys = memory_.Allocate(objects_.keys_indices + 8 + 8 * 16);
    memory_.Put(keys + objects_.keys_log2_size, uint8_t{3});
    memory_.Put(keys + objects_.keys_log2_index_bytes, uint8_t{3});
    memory_.Put(keys + objects_.keys_kind, uint8_t{1});
    memory_.Put(keys + objects_.keys_entry_count, uint64_t{entries.size()});
    uint64_t at = keys + objects_.keys_indices + 8;
    for (const auto& [name, value] : entries) {
      memory_.Put(at, Text(name));
      memory_.Put(at + 8, value);
      at += 16;
    }
    return keys;
  }
  uint64_t Dict(uint64_t keys, uint64_t values = 0) {
    const uint64_t dict = memory_.Allocate(64);
    memory_.Put(dict + objects_.dict_keys, keys);
    memory_.Put(dict + objects_.dict_values, values);
    return dict;
  }
  uint64_t Find(uint64_t dict, const char* name) {
    uint64_t value = 0;
    return FindInDict(layout_, objects_, memory_, dict, name, &value) ? value : 0;
  }

  uint64_t Set(uint64_t mask, const std::vector<std::pair<uint64_t, int64_t>>& slots) {
    const uint64_t set = memory_.Allocate(256);
    const uint64_t table = memory_.Allocate(slots.size() * 16);
    memory_.Put(set + objects_.set_mask, mask);
    memory_.Put(set + objects_.set_table, table);
    for (size_t i = 0; i < slots.size(); ++i) {
      memory_.Put(table + i * 16, slots[i].first);
      memory_.Put(table + i * 16 + 8, slots[i].second);
    }
    return set;
  }
  std::vector<uint64_t> Members(uint64_t set, bool* sound) {
    std::vector<uint64_t> members;
    *sound = VisitSet(objects_, memory_, set, [&](uint64_t member) {
      members.push_back(member);
      return true;
    });
    return members;
  }

  FakeMemory memory_;
  Layout layout_;
  ObjectLayout objects_;
};

TEST_F(ContainersTest, DictFindsByName) {
  const uint64_t dict = Dict(Keys({{"one", 16}, {"deleted", 0}, {"two", 32}}));
  EXPECT_EQ(Find(dict, "two"), 32u);
  EXPECT_EQ(Find(dict, "deleted"), 0u);
  EXPECT_EQ(Find(dict, "three"), 0u);
}

TEST_F(ContainersTest, SplitDictTakesValuesFromTheirOwnTable) {
  const uint64_t values = memory_.Allocate(64);
  memory_.Put(values + objects_.values_first + 8, uint64_t{48});
  EXPECT_EQ(Find(Dict(Keys({{"one", 0}, {"two", 0}}), values), "two"), 48u);
}

TEST_F(ContainersTest, DictWithMoreEntriesThanSlotsIsRefused) {
  const uint64_t keys = Keys({{"one", 16}});
  memory_.Put(keys + objects_.keys_entry_count, uint64_t{9});
  EXPECT_EQ(Find(Dict(keys), "one"), 0u);
  memory_.Put(keys + objects_.keys_log2_size, uint8_t{30});
  memory_.Put(keys + objects_.keys_entry_count, uint64_t{1} << 29);
  EXPECT_EQ(Find(Dict(keys), "one"), 0u);
  memory_.Put(keys + objects_.keys_log2_size, uint8_t{255});
  EXPECT_EQ(Find(Dict(keys), "one"), 0u);
}

TEST_F(ContainersTest, DictWithWildPointersIsRefused) {
  EXPECT_EQ(Find(0, "one"), 0u);
  EXPECT_EQ(Find(0xfffffffffffffff8, "one"), 0u);
  EXPECT_EQ(Find(Dict(0x10003), "one"), 0u);
  EXPECT_EQ(Find(Dict(0xdead0000), "one"), 0u);
}

TEST_F(ContainersTest, SetSkipsFreeAndDeletedSlots) {
  bool sound = false;
  const uint64_t set = Set(3, {{16, 5}, {0, 0}, {32, -1}, {48, 7}});
  EXPECT_EQ(Members(set, &sound), (std::vector<uint64_t>{16, 48}));
  EXPECT_TRUE(sound);
}

TEST_F(ContainersTest, SetWithImpossibleMaskIsRefused) {
  bool sound = true;
  EXPECT_TRUE(Members(Set(4, {{16, 5}}), &sound).empty());
  EXPECT_FALSE(sound);
  EXPECT_TRUE(Members(Set(~uint64_t{0}, {{16, 5}}), &sound).empty());
  EXPECT_FALSE(sound);
  Members(Set(1023, {{16, 5}}), &sound);  // larger than its table
  EXPECT_FALSE(sound);
}

TEST_F(ContainersTest, EndlessBasesEnd) {
  const uint64_t type = memory_.Allocate(1024);
  memory_.Put(type + objects_.type_base, type);
  EXPECT_FALSE(IsSubtype(objects_, memory_, type, type + 8));
  EXPECT_TRUE(IsSubtype(objects_, memory_, type, type));
}

TEST_F(ContainersTest, InstanceValuesAreFoundThroughTheTypesKeys) {
  const uint64_t type = memory_.Allocate(1024);
  memory_.Put(type + objects_.type_flags, uint64_t{1 << 4});
  memory_.Put(type + objects_.type_cached_keys, Keys({{"a", 0}, {"b", 0}}));
  const uint64_t object = memory_.Allocate(256) + 64;
  const uint64_t values = memory_.Allocate(64);
  memory_.Put(values + 8, uint64_t{64});
  memory_.Put(object + layout_.object.type, type);
  memory_.Put(object - objects_.managed_dict, values - 1);
  uint64_t value = 0;
  EXPECT_TRUE(ReadAttribute(layout_, objects_, memory_, object, "b", &value));
  EXPECT_EQ(value, 64u);
  EXPECT_FALSE(ReadAttribute(layout_, objects_, memory_, object, "a", &value));
}

TEST_F(ContainersTest, IntegersOfManyDigitsAreRefused) {
  const uint64_t type = memory_.Allocate(1024);
  memory_.Put(type + objects_.type_flags, uint64_t{1} << 24);
  const uint64_t number = memory_.Allocate(64);
  memory_.Put(number + layout_.object.type, type);
  memory_.Put(number + objects_.first_field, uint64_t{2 << 3});
  memory_.Put(number + objects_.integer_digits, uint32_t{5});
  memory_.Put(number + objects_.integer_digits + 4, uint32_t{1});
  uint64_t value = 0;
  ASSERT_TRUE(ReadInteger(layout_, objects_, memory_, number, &value));
  EXPECT_EQ(value, (uint64_t{1} << 30) + 5);
  memory_.Put(number + objects_.first_field, uint64_t{1000 << 3});
  EXPECT_FALSE(ReadInteger(layout_, objects_, memory_, number, &value));
}

}  // namespace
}  // namespace pyrometer::cpython
