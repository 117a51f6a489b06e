// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace pyrometer::capture {
namespace {

using format::MemoryKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Places are stacks of one thread.
class MemoryPlacesTest : public ::testing::Test {
 protected:
  void Allocate(uint32_t stack, uint64_t bytes, MemoryKind kind = MemoryKind::kNative) {
    MemoryPlace& place = *places_.Find({}, format::StackId(stack), kind);
    places_.CountAllocated(place, {bytes, 1, 1, 0});
    ++time_ns_;
    if (kind != MemoryKind::kCopied) places_.Hold(place, {bytes, 1, 1, 0}, time_ns_);
  }
  void Free(uint32_t stack, uint64_t bytes, MemoryKind kind = MemoryKind::kNative) {
    MemoryPlace& place = *places_.Find({}, format::StackId(stack), kind);
    places_.CountFreed(place, {bytes, 1, 1, 0});
    places_.Drop(place, {bytes, 1, 1, 0});
    ++time_ns_;
  }
  // As stack: bytes.
  std::map<uint32_t, uint64_t> Peak() const {
    std::map<uint32_t, uint64_t> parts;
    for (const format::LiveMemory& part : places_.LiveAtPeak())
      parts[part.stack.value] = part.amount.bytes;
    return parts;
  }
  // As stack+allocated-freed^high.
  std::vector<std::string> Changes() {
    std::vector<std::string> texts;
    for (const format::MemoryChange& row : places_.TakeChanges(time_ns_))
      texts.push_back(std::to_string(row.stack.value) + "+" + std::to_string(row.allocated.bytes) +
                      "-" + std::to_string(row.freed.bytes) + "^" + std::to_string(row.high_bytes));
    return texts;
  }

  MemoryPlaces places_;
  uint64_t time_ns_ = 0;
};

using Parts = std::map<uint32_t, uint64_t>;

TEST_F(MemoryPlacesTest, PeakOfASawtoothIsItsHighestTooth) {
  Allocate(9, 1);
  for (const uint64_t height : {3, 5, 4}) {
    for (uint64_t i = 0; i < height; ++i) Allocate(1, 10);
    for (uint64_t i = 0; i < height; ++i) Free(1, 10);
  }
  EXPECT_EQ(places_.peak_bytes(), 51u);
  EXPECT_EQ(places_.peak_ns(), 1u + 6u + 5u);
  EXPECT_EQ(Peak(), (Parts{{1, 50}, {9, 1}}));
}

TEST_F(MemoryPlacesTest, PlacesRememberThePeakWhateverComesBehind) {
  Allocate(1, 100);
  Allocate(2, 50);
  Free(1, 100);
  Allocate(3, 20);
  EXPECT_EQ(Peak(), (Parts{{1, 100}, {2, 50}}));
  Free(2, 50);
  Allocate(2, 60);
  EXPECT_EQ(Peak(), (Parts{{1, 100}, {2, 50}}));
  Allocate(4, 71);  // 60 + 20 + 71
  EXPECT_EQ(Peak(), (Parts{{2, 60}, {3, 20}, {4, 71}}));
}

TEST_F(MemoryPlacesTest, AnEqualHeightIsNoNewPeak) {
  Allocate(1, 100);
  Free(1, 100);
  Allocate(2, 100);
  EXPECT_EQ(Peak(), (Parts{{1, 100}}));
}

TEST_F(MemoryPlacesTest, CopiesAreNeverLive) {
  Allocate(1, 100, MemoryKind::kCopied);
  EXPECT_EQ(places_.peak_bytes(), 0u);
  EXPECT_EQ(Peak(), Parts());
  EXPECT_THAT(Changes(), ElementsAre("1+100-0^0"));
}

TEST_F(MemoryPlacesTest, OnlyPlacesWithChangesHaveRows) {
  Allocate(2, 10);
  Allocate(1, 10);
  Free(2, 10);
  Allocate(2, 5);
  EXPECT_THAT(Changes(), ElementsAre("1+10-0^10", "2+15-10^10"));
  Free(2, 5);
  EXPECT_THAT(Changes(), ElementsAre("2+0-5^10"));
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(MemoryPlacesTest, KindsAreApart) {
  Allocate(1, 10, MemoryKind::kPython);
  Allocate(1, 20, MemoryKind::kMapped);
  EXPECT_EQ(places_.live_bytes(MemoryKind::kPython), 10u);
  EXPECT_EQ(places_.live_bytes(MemoryKind::kNative), 0u);
  EXPECT_EQ(places_.live_bytes(MemoryKind::kMapped), 20u);
  EXPECT_THAT(Changes(), SizeIs(2));
}

TEST_F(MemoryPlacesTest, TooManyAreRefusedUntilIdleOnesAreForgotten) {
  Allocate(1, 1'000'000);
  for (uint32_t stack = 2; stack <= MemoryPlaces::kMaxPlaces; ++stack) {
    Allocate(stack, 1);
    if (stack % 2 == 0) Free(stack, 1);
  }
  const format::StackId fresh(MemoryPlaces::kMaxPlaces + 1);
  EXPECT_EQ(places_.Find({}, fresh, MemoryKind::kNative), nullptr);
  Changes();
  EXPECT_NE(places_.Find({}, fresh, MemoryKind::kNative), nullptr);
  uint64_t live = 0;
  for (const format::LiveMemory& part : places_.LiveAtPeak()) live += part.amount.bytes;
  EXPECT_EQ(live, places_.peak_bytes());
}

}  // namespace
}  // namespace pyrometer::capture
