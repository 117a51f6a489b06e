// SPDX-License-Identifier: Apache-2.0
#include "import/core/profile_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/testing/import_text.h"
#include "profile/testing/check_invariants.h"
#include "profile/testing/values_of.h"

namespace pyrometer::import_ {
namespace {

using profile::testing::BrokenInvariant;
using ::testing::ElementsAre;
using testing::SampleTexts;

TEST(ProfileMaker, EqualThingsAreOne) {
  ProfileMaker maker;
  const FrameText text{.name = "work", .file = "app.py", .line = 3, .first_line = 1};
  EXPECT_EQ(maker.Frame(text), maker.Frame(text));
  const format::FrameId frame = maker.Frame(text);
  EXPECT_EQ(maker.Stack(format::kEmptyStack, frame), maker.Stack(std::vector{frame}));
  EXPECT_EQ(maker.Thread(maker.Process(1), 2), maker.Thread(maker.Process(1), 2));
  EXPECT_NE(maker.Thread(maker.Process(1), 2), maker.Thread(maker.Process(2), 2));
}

TEST(ProfileMaker, SamplesKeepTheirTimesOrFollowEachOther) {
  ProfileMaker maker;
  const auto stack = maker.Stack(format::kEmptyStack, maker.Frame({.name = "f", .file = "a.py"}));
  const auto timed = maker.Thread(maker.Process(1), 1), untimed = maker.Thread(maker.Process(1), 2);
  maker.AddTime(timed, stack, {.weight_ns = 10, .time_ns = 700});
  maker.AddTime(untimed, stack, {.weight_ns = 10});
  maker.AddTime(untimed, stack, {.weight_ns = 20, .activity = format::Activity::kSleep});
  const profile::Profile profile = maker.Take("test");
  EXPECT_THAT(profile.samples.time_ns, ElementsAre(700, 10, 30));
  EXPECT_THAT(SampleTexts(profile), ElementsAre("f (a.py:0) python 10 1", "f (a.py:0) python 10 1",
                                                "f (a.py:0) sleep 20 1"));
  EXPECT_EQ(profile.run_end->end_ns, 700u);
  EXPECT_EQ(BrokenInvariant(profile), "");
}

TEST(ProfileMaker, SamplesOfAThreadAreInOrder) {
  ProfileMaker maker;
  const auto stack = maker.Stack(format::kEmptyStack, maker.Frame({.name = "f", .file = "a.py"}));
  for (const uint64_t time_ns : {30, 10, 20})
    maker.AddTime(maker.OnlyThread(), stack, {.weight_ns = 100 + time_ns, .time_ns = time_ns});
  const profile::Profile profile = maker.Take("test");
  EXPECT_THAT(profile.samples.time_ns, ElementsAre(10, 20, 30));
  EXPECT_THAT(profile::testing::ValuesOf(profile.samples.weight_ns), ElementsAre(110, 120, 130));
  EXPECT_EQ(BrokenInvariant(profile), "");
}

TEST(ProfileMaker, MemoryIsAllocatedThenGivenBack) {
  ProfileMaker maker;
  maker.SetDuration(1000);
  const auto stack = maker.Stack(format::kEmptyStack, maker.Frame({.name = "f", .file = "a.py"}));
  maker.AddMemory(maker.OnlyThread(), stack,
                  {.allocated = {{100, 10}}, .at_peak = {{40, 4}}, .left = {{15, 1}}});
  maker.AddMemory(maker.OnlyThread(), stack, {.copied = {{7, 1}}});
  const profile::Profile profile = maker.Take("test");
  ASSERT_EQ(profile.memory_changes.size(), 3u);
  EXPECT_EQ(profile.memory_changes[0].allocated.bytes, 100u);
  EXPECT_EQ(profile.memory_changes[0].freed.bytes, 60u);
  EXPECT_EQ(profile.memory_changes[1].freed.bytes, 25u);
  EXPECT_EQ(profile.memory_changes[2].kind, format::MemoryKind::kCopied);
  EXPECT_EQ(profile.memory_peaks[0].parts[0].amount.bytes, 40u);
  EXPECT_EQ(profile.memory_survivors[0].parts[0].amount.bytes, 15u);
  EXPECT_EQ(BrokenInvariant(profile), "");
}

// With all of it at the peak, that would have been higher than the file says.
TEST(ProfileMaker, WhatWasNotLiveAtThePeakIsAllocatedAfterIt) {
  ProfileMaker maker;
  maker.SetDuration(1000);
  const auto early = maker.Stack(format::kEmptyStack, maker.Frame({.name = "f", .file = "a.py"}));
  const auto late = maker.Stack(format::kEmptyStack, maker.Frame({.name = "g", .file = "a.py"}));
  maker.AddMemory(maker.OnlyThread(), early, {.allocated = {{40, 4}}, .at_peak = {{40, 4}}});
  maker.AddMemory(maker.OnlyThread(), late, {.allocated = {{20, 2}}, .left = {{15, 1}}});
  const profile::Profile profile = maker.Take("test");
  ASSERT_EQ(profile.memory_changes.size(), 4u);
  uint64_t at_peak = 0, all = 0;
  for (const format::MemoryChange& change : profile.memory_changes) {
    all += change.allocated.bytes;
    if (change.time_ns == profile.memory_peaks[0].time_ns)
      at_peak += change.allocated.bytes - change.freed.bytes;
  }
  EXPECT_EQ(at_peak, 40u);
  EXPECT_EQ(all, 60u);
  EXPECT_EQ(BrokenInvariant(profile), "");
}

TEST(ProfileMaker, NamesMayComeLate) {
  ProfileMaker maker;
  const auto process = maker.Process(5);
  const auto thread = maker.Thread(process, 6);
  maker.AddTime(thread, format::kEmptyStack, {.weight_ns = 1});
  maker.NameProcess(process, "server");
  maker.NameThread(thread, "worker");
  const profile::Profile profile = maker.Take("test");
  EXPECT_THAT(profile.processes[0].info.argv, ElementsAre("server"));
  EXPECT_EQ(profile.threads[0].info.name, "worker");
}

TEST(ProfileMaker, StopsAtItsBudget) {
  ProfileMaker maker(100'000);
  for (int i = 0; i < 1'000'000 && !maker.full(); ++i) {
    const auto frame = maker.Frame({.name = "f" + std::to_string(i), .file = "a.py"});
    maker.AddTime(maker.OnlyThread(), maker.Stack(format::kEmptyStack, frame), {.weight_ns = 1});
  }
  EXPECT_TRUE(maker.full());
  const profile::Profile profile = maker.Take("test");
  EXPECT_LT(profile.samples.size(), 1000u);
  EXPECT_EQ(BrokenInvariant(profile), "");
}

}  // namespace
}  // namespace pyrometer::import_
