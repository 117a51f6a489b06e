// SPDX-License-Identifier: Apache-2.0
// The columns that take less room than their type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "base/id.h"
#include "format/records.h"
#include "profile/narrow_column.h"
#include "profile/testing/values_of.h"
#include "profile/weight_column.h"

namespace pyrometer::profile {
namespace {

using ::testing::ElementsAre;

using testing::ValuesOf;

TEST(WeightColumnTest, EveryWeightIsExact) {
  constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t kLimit = uint64_t{1} << 31;
  WeightColumn weights;
  const std::vector<uint64_t> values{0,          1,        kLimit - 1, kLimit, kLimit + 1,
                                     2 * kLimit, kLargest, 5,          kLimit};
  for (const uint64_t value : values) weights.push_back(value);
  EXPECT_EQ(ValuesOf(weights), values);
}

TEST(WeightColumnTest, RowsCanChangeFromAnythingToAnything) {
  constexpr uint64_t kHour = 3'600'000'000'000;
  WeightColumn weights;
  weights.resize(4);
  weights.Set(0, kHour);
  weights.Set(1, 2 * kHour);
  weights.Set(0, 7);
  weights.Set(1, 3 * kHour);
  weights.Set(3, kHour);
  EXPECT_THAT(ValuesOf(weights), ElementsAre(7, 3 * kHour, 0, kHour));
  weights.Set(0, kHour + 1);
  weights.resize(3);
  EXPECT_THAT(ValuesOf(weights), ElementsAre(kHour + 1, 3 * kHour, 0));
}

TEST(NarrowColumnTest, AllThatWasThereStaysWhenALargerOneComes) {
  NarrowColumn<uint32_t> counts;
  std::vector<uint32_t> values;
  for (const uint32_t value : {1u, 255u, 0u, 256u, 65'535u, 2u, 65'536u, 3u, 4'294'967'295u}) {
    counts.push_back(value);
    values.push_back(value);
    EXPECT_EQ(ValuesOf(counts), values);
  }
}

TEST(NarrowColumnTest, SizesAreRowsHoweverWide) {
  NarrowColumn<uint32_t> counts;
  counts.reserve(10);
  counts.resize(3);
  counts.Set(1, 70'000);
  EXPECT_EQ(counts.size(), 3u);
  counts.resize(5);
  EXPECT_THAT(ValuesOf(counts), ElementsAre(0, 70'000, 0, 0, 0));
  counts.resize(2);
  EXPECT_THAT(ValuesOf(counts), ElementsAre(0, 70'000));
}

TEST(NarrowColumnTest, IdsAreIdsAndNoneIsNone) {
  using Task = base::OptionalId<format::TaskId>;
  NarrowColumn<Task> tasks;
  tasks.resize(1);
  for (const uint32_t id : {0u, 254u, 255u, 65'535u}) tasks.push_back(format::TaskId(id));
  tasks.push_back({});
  EXPECT_THAT(ValuesOf(tasks), ElementsAre(Task(), format::TaskId(0), format::TaskId(254),
                                           format::TaskId(255), format::TaskId(65'535), Task()));
  NarrowColumn<format::ThreadId> threads;
  for (const uint32_t id : {0u, 300u}) threads.push_back(format::ThreadId(id));
  EXPECT_THAT(ValuesOf(threads), ElementsAre(format::ThreadId(0), format::ThreadId(300)));
}

}  // namespace
}  // namespace pyrometer::profile
