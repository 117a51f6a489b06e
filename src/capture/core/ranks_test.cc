// SPDX-License-Identifier: Apache-2.0
#include "capture/core/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pyrometer::capture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(RanksTest, FindsEveryLauncher) {
  EXPECT_THAT(FindRanks({"PATH=/bin", "RANK=3", "LOCAL_RANK=1", "SLURM_PROCID=12"}),
              ElementsAre(Pair("RANK", 3u), Pair("LOCAL_RANK", 1u), Pair("SLURM_PROCID", 12u)));
}

TEST(RanksTest, NothingElse) {
  EXPECT_THAT(FindRanks({"RANKS=3", "MY_RANK=3", "RANK", "RANK=", "RANK=x", "RANK=-1", "RANK=1 ",
                         "RANK=99999999999"}),
              IsEmpty());
}

}  // namespace
}  // namespace pyrometer::capture
