// SPDX-License-Identifier: Apache-2.0
#include "import/core/call_track.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LossTexts;

constexpr int64_t kMs = 1'000'000;

// Times are in milliseconds, calls have a letter.
class CallTrackTest : public ::testing::Test {
 protected:
  format::FrameId Frame(char name) { return maker_.Frame({.name = {&name, 1}}); }
  void Add(char name, int64_t begin, int64_t end) {
    track_.Add(begin * kMs, end * kMs, Frame(name));
  }
  // "stack until weight", in milliseconds.
  std::vector<std::string> Samples() {
    track_.Write(maker_, maker_.OnlyThread(), 0);
    profile_ = maker_.Take("test");
    std::vector<std::string> texts;
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      std::string stack;
      for (auto at = profile_.samples.stack[i]; at != format::kEmptyStack;
           at = profile_.stacks[at.value].parent) {
        const auto frame = profile_.stacks[at.value].frame;
        stack.insert(0, profile_.Text(profile_.symbols[frame.value].lines[0].function));
      }
      texts.push_back(
          stack + " " + std::to_string(profile_.samples.time_ns[i] / static_cast<uint64_t>(kMs)) +
          " " + std::to_string(profile_.samples.weight_ns[i] / static_cast<uint64_t>(kMs)));
    }
    return texts;
  }

  ProfileMaker maker_;
  CallTrack track_;
  profile::Profile profile_;
};

TEST_F(CallTrackTest, CallsInsideOfOthersAreTheirs) {
  Add('a', 0, 10);
  Add('b', 2, 5);
  Add('c', 3, 4);
  Add('d', 12, 13);
  EXPECT_THAT(Samples(), ElementsAre("a 2 2", "ab 3 1", "abc 4 1", "ab 5 1", "a 10 5", "d 13 1"));
}

TEST_F(CallTrackTest, OrderDoesNotMatter) {
  Add('d', 12, 13);
  Add('c', 3, 4);
  Add('b', 2, 5);
  Add('a', 0, 10);
  EXPECT_THAT(Samples(), ElementsAre("a 2 2", "ab 3 1", "abc 4 1", "ab 5 1", "a 10 5", "d 13 1"));
}

TEST_F(CallTrackTest, OfEqualCallsTheFirstIsTheCaller) {
  Add('a', 0, 10);
  Add('b', 0, 10);
  Add('c', 10, 10);  // took no time
  EXPECT_THAT(Samples(), ElementsAre("ab 10 10"));
}

TEST_F(CallTrackTest, OverlapsAreCutInTwo) {
  Add('a', 0, 10);
  Add('b', 5, 15);
  Add('c', 12, 14);
  EXPECT_THAT(Samples(), ElementsAre("a 5 5", "ab 10 5", "b 12 2", "bc 14 2", "b 15 1"));
  EXPECT_THAT(LossTexts(profile_), IsEmpty());
}

TEST_F(CallTrackTest, AStairIsCutAtEveryStep) {
  Add('a', 0, 3);
  Add('b', 1, 4);
  Add('c', 2, 5);
  EXPECT_THAT(Samples(), ElementsAre("a 1 1", "ab 2 1", "abc 3 1", "cb 4 1", "c 5 1"));
}

TEST_F(CallTrackTest, ClocksMayDisagreeALittle) {
  track_.Add(0, 10 * kMs, Frame('a'));
  track_.Add(5 * kMs, 10 * kMs + CallTrack::kSlackNs, Frame('b'));
  EXPECT_THAT(Samples(), ElementsAre("a 5 5", "ab 10 5"));
}

TEST_F(CallTrackTest, BeginningsAndEndsMatch) {
  track_.End(1 * kMs);
  track_.Begin(2 * kMs, Frame('a'));
  track_.Begin(4 * kMs, Frame('b'));
  track_.End(6 * kMs);
  track_.Begin(6 * kMs, Frame('c'));
  track_.End(9 * kMs);
  track_.Begin(7 * kMs, Frame('d'));  // late in the file
  track_.End(8 * kMs);
  EXPECT_THAT(Samples(), ElementsAre("a 4 2", "ab 6 2", "ac 7 1", "acd 8 1", "ac 9 1"));
  EXPECT_THAT(LossTexts(profile_),
              ElementsAre("calls without an end: 1", "ends of calls that have not begun: 1"));
}

// Whatever overlaps with whatever: the time in which anything ran is the sum of the samples.
TEST_F(CallTrackTest, NoTimeIsLostOrCountedTwice) {
  std::minstd_rand random(3);
  std::vector<bool> busy(400);
  for (int i = 0; i < 60; ++i) {
    const size_t begin = random() % 350, length = random() % 50;
    Add(static_cast<char>('a' + i % 26), static_cast<int64_t>(begin),
        static_cast<int64_t>(begin + length));
    std::fill_n(busy.begin() + static_cast<ptrdiff_t>(begin), length, true);
  }
  Samples();
  uint64_t sum = 0, last_ns = 0;
  for (size_t i = 0; i < profile_.samples.size(); ++i) {
    sum += profile_.samples.weight_ns[i];
    EXPECT_GE(profile_.samples.time_ns[i] - profile_.samples.weight_ns[i], last_ns);
    last_ns = profile_.samples.time_ns[i];
  }
  const auto expected = static_cast<uint64_t>(std::ranges::count(busy, true) * kMs);
  EXPECT_EQ(sum, expected);
}

TEST_F(CallTrackTest, HostileOverlapsEnd) {
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) Add('a', i, kCount + i);
  track_.Write(maker_, maker_.OnlyThread(), 0);
  profile_ = maker_.Take("test");
  EXPECT_LT(profile_.samples.size(), size_t{kCount} * 2 * (CallTrack::kMaxCuts + 1));
}

}  // namespace
}  // namespace pyrometer::import_
