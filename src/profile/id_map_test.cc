// SPDX-License-Identifier: Apache-2.0
#include "profile/id_map.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

#include "base/id.h"

namespace pyrometer::profile {
namespace {

IdMap MapOf(std::initializer_list<uint32_t> ids) {
  IdMap map;
  uint32_t place = 0;
  for (const uint32_t id : ids) map.Add(id, place++);
  return map;
}

TEST(IdMapTest, KnowsNothingAtFirst) { EXPECT_FALSE(IdMap().Find(0).has_value()); }

TEST(IdMapTest, ClosesGaps) {
  const IdMap map = MapOf({0, 1, 5, 6, 9});
  EXPECT_EQ(map.Find(1), 1u);
  EXPECT_EQ(map.Find(5), 2u);
  EXPECT_EQ(map.Find(9), 4u);
}

TEST(IdMapTest, IdsInGapsAreUnknown) {
  const IdMap map = MapOf({2, 5});
  for (const uint32_t id : {0, 1, 3, 4, 6}) EXPECT_FALSE(map.Find(id).has_value()) << id;
}

TEST(IdMapTest, LargestId) {
  constexpr uint32_t kLast = std::numeric_limits<uint32_t>::max();
  const IdMap map = MapOf({0, kLast});
  EXPECT_EQ(map.Find(kLast), 1u);
  EXPECT_FALSE(map.Find(kLast - 1).has_value());
}

TEST(IdMapTest, TranslatesInPlaceOnlyWhatItKnows) {
  using SomeId = base::Id<struct SomeTag>;
  SomeId known(7);
  SomeId unknown(8);
  const IdMap map = MapOf({7});
  EXPECT_TRUE(map.Translate(known));
  EXPECT_EQ(known, SomeId(0));
  EXPECT_FALSE(map.Translate(unknown));
  EXPECT_EQ(unknown, SomeId(8));
}

}  // namespace
}  // namespace pyrometer::profile
