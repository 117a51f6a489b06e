// SPDX-License-Identifier: Apache-2.0
#include "profile/one_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/testing/small_capture.h"
#include "profile/profile_loader.h"
#include "profile/testing/check_invariants.h"
#include "profile/testing/values_of.h"

namespace pyrometer::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Profile Small() { return LoadProfile(format::testing::SmallCapture()).value(); }

TEST(OneProcessTest, KeepsWhatBelongsToIt) {
  const Profile child = OneProcess(Small(), 4243);
  EXPECT_EQ(testing::BrokenInvariant(child), "");
  ASSERT_THAT(child.processes, SizeIs(1));
  EXPECT_EQ(child.processes[0].end->exit_signal, 9);
  ASSERT_THAT(child.threads, SizeIs(1));
  EXPECT_EQ(child.threads[0].end->name, "worker");
  EXPECT_THAT(testing::ValuesOf(child.samples.count), ElementsAre(7, 1));
  EXPECT_THAT(child.regions, SizeIs(1));
  EXPECT_THAT(child.gil_waits, SizeIs(1));
  EXPECT_THAT(child.counters, SizeIs(2));
  EXPECT_THAT(child.loop_blocks, SizeIs(1));
  EXPECT_THAT(child.amounts, SizeIs(1));
  EXPECT_THAT(child.memory_changes, SizeIs(2));
  ASSERT_THAT(child.memory_peaks, SizeIs(1));
  EXPECT_THAT(child.memory_peaks[0].parts, SizeIs(2));
  EXPECT_THAT(child.memory_survivors, SizeIs(1));
  EXPECT_THAT(child.memory_levels, SizeIs(1));
  EXPECT_THAT(child.tasks, IsEmpty());
  EXPECT_THAT(child.awaits, IsEmpty());
  EXPECT_FALSE(child.samples.task[1].has_value());
}

TEST(OneProcessTest, PartsAddUpToTheWhole) {
  const Profile parent = OneProcess(Small(), 4242), child = OneProcess(Small(), 4243);
  EXPECT_EQ(testing::BrokenInvariant(parent), "");
  EXPECT_EQ(parent.samples.size() + child.samples.size(), Small().samples.size());
  EXPECT_THAT(parent.amounts, SizeIs(1));
  EXPECT_THAT(parent.tasks, SizeIs(1));
  EXPECT_THAT(parent.awaits, SizeIs(1));
  EXPECT_THAT(parent.memory_changes, SizeIs(1));
  EXPECT_THAT(parent.memory_peaks, IsEmpty());
  EXPECT_THAT(parent.memory_survivors, SizeIs(1));
  EXPECT_THAT(parent.memory_levels, IsEmpty());
}

TEST(OneProcessTest, OfNobodyIsEmpty) {
  const Profile none = OneProcess(Small(), 1);
  EXPECT_EQ(testing::BrokenInvariant(none), "");
  EXPECT_THAT(none.processes, IsEmpty());
  EXPECT_EQ(none.samples.size(), 0u);
}

}  // namespace
}  // namespace pyrometer::profile
