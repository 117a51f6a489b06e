// SPDX-License-Identifier: Apache-2.0
#include "profile/capture_merger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "format/memory_sink.h"
#include "format/testing/small_capture.h"
#include "profile/profile_loader.h"
#include "profile/testing/check_invariants.h"
#include "profile/testing/values_of.h"

namespace pyrometer::profile {
namespace {

using ::testing::SizeIs;

Profile Small() { return LoadProfile(format::testing::SmallCapture()).value(); }

Profile Merge(const std::vector<Profile>& profiles, uint64_t offset_ns) {
  format::MemorySink sink;
  format::CaptureWriter writer(sink, profiles.front().run);
  CaptureMerger merger(writer);
  for (size_t i = 0; i < profiles.size(); ++i) merger.Add(profiles[i], i * offset_ns);
  EXPECT_TRUE(writer.Finish({merger.end_ns()}).ok());
  return LoadProfile(sink.bytes()).value();
}

uint64_t Weight(const Profile& profile) {
  const auto weights = testing::ValuesOf(profile.samples.weight_ns);
  return std::accumulate(weights.begin(), weights.end(), uint64_t{0});
}

TEST(CaptureMergerTest, OneProfileBecomesThatProfile) {
  const Profile before = Small(), after = Merge({before}, 0);
  EXPECT_EQ(testing::BrokenInvariant(after), "");
  EXPECT_EQ(after.strings.size(), before.strings.size());
  EXPECT_EQ(after.frames.size(), before.frames.size());
  EXPECT_EQ(after.stacks.size(), before.stacks.size());
  EXPECT_EQ(after.samples.time_ns, before.samples.time_ns);
  EXPECT_EQ(testing::ValuesOf(after.samples.weight_ns),
            testing::ValuesOf(before.samples.weight_ns));
  EXPECT_EQ(testing::ValuesOf(after.samples.task), testing::ValuesOf(before.samples.task));
  EXPECT_EQ(after.memory_changes.size(), before.memory_changes.size());
  EXPECT_EQ(after.memory_peaks[0].parts, before.memory_peaks[0].parts);
  EXPECT_EQ(after.memory_survivors[0].parts, before.memory_survivors[0].parts);
  EXPECT_EQ(after.regions.size(), before.regions.size());
  EXPECT_EQ(after.awaits.size(), before.awaits.size());
  EXPECT_EQ(after.loop_blocks.size(), before.loop_blocks.size());
  EXPECT_EQ(after.gil_waits.size(), before.gil_waits.size());
  EXPECT_EQ(after.symbols.size(), before.symbols.size());
  EXPECT_EQ(after.sources.size(), before.sources.size());
  EXPECT_EQ(after.tasks[0].origin, before.tasks[0].origin);
  ASSERT_EQ(after.amounts.size(), before.amounts.size());
  EXPECT_EQ(after.amounts[0].value, before.amounts[0].value);
  EXPECT_EQ(after.metrics.declared()[0].name, "cache_hits");
  EXPECT_TRUE(after.load.orderly_end);
}

TEST(CaptureMergerTest, TheSameTwiceSharesStacksAndAddsUp) {
  const Profile one = Small(), both = Merge({one, one}, 1'000'000'000);
  EXPECT_EQ(testing::BrokenInvariant(both), "");
  EXPECT_EQ(both.stacks.size(), one.stacks.size());
  EXPECT_EQ(both.codes.size(), one.codes.size());
  EXPECT_EQ(both.symbols.size(), one.symbols.size());
  EXPECT_THAT(both.processes, SizeIs(2 * one.processes.size()));
  EXPECT_THAT(both.threads, SizeIs(2 * one.threads.size()));
  EXPECT_EQ(Weight(both), 2 * Weight(one));
  EXPECT_THAT(both.memory_peaks, SizeIs(2 * one.memory_peaks.size()));
  EXPECT_EQ(both.processes[one.processes.size()].info.start_ns,
            one.processes[0].info.start_ns + 1'000'000'000);
}

TEST(CaptureMergerTest, NativeFramesOfOneAddressWithOtherNamesStayApart) {
  Profile one = Small(), other = Small();
  ASSERT_FALSE(one.symbols.empty());
  other.strings.emplace_back("another function");
  other.symbols[0].lines[0].function =
      format::StringId(static_cast<uint32_t>(other.strings.size() - 1));
  const Profile both = Merge({one, other}, 0);
  EXPECT_EQ(both.frames.size(), one.frames.size() + 1);
  EXPECT_EQ(both.symbols.size(), one.symbols.size() + 1);
}

TEST(CaptureMergerTest, WhatWasLostIsNotForgotten) {
  Profile cut = Small();
  cut.load.orderly_end = false;
  cut.load.bytes_lost = 7;
  const Profile merged = Merge({cut}, 0);
  size_t found = 0;
  for (const Counter& counter : merged.counters)
    found += counter.Is(metric::Counter::kMergedInterrupted) ||
             (counter.Is(metric::Counter::kMergedBytesLost) && counter.value == 7);
  EXPECT_EQ(found, 2u);
}

}  // namespace
}  // namespace pyrometer::profile
