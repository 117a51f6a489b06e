// SPDX-License-Identifier: Apache-2.0
#include "format/live_parts.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "format/layout.h"

namespace pyrometer::format {
namespace {

// `count` parts of 1, 2, 3 ... bytes, of `threads` threads in turn.
std::vector<LiveMemory> Parts(size_t count, uint32_t threads) {
  std::vector<LiveMemory> parts;
  for (uint32_t i = 0; i < count; ++i)
    parts.push_back({.thread = ThreadId(i % threads),
                     .stack = StackId(i + 1),
                     .kind = static_cast<MemoryKind>(i % 2),
                     .type = StringId(4),
                     .amount = {i + 1, 2, 1, 3}});
  return parts;
}

MemoryAmount Total(const std::vector<LiveMemory>& parts) {
  MemoryAmount total;
  for (const LiveMemory& part : parts) total += part.amount;
  return total;
}

TEST(LivePartsTest, FewStayAsTheyAre) {
  std::vector<LiveMemory> parts = Parts(kMaxLiveParts, 3);
  BoundLiveParts(parts);
  EXPECT_EQ(parts, Parts(kMaxLiveParts, 3));
}

TEST(LivePartsTest, TheSmallestAreAddedUpByThreadAndKind) {
  const std::vector<LiveMemory> all = Parts(kMaxLiveParts + 4, 2);
  std::vector<LiveMemory> parts = all;
  BoundLiveParts(parts);
  ASSERT_EQ(parts.size(), kMaxLiveParts + 2);
  EXPECT_EQ(Total(parts), Total(all));
  EXPECT_EQ(parts.front(), all.back());
  // Of thread 1, the parts of 2 and 4 bytes; of thread 0, those of 1 and 3.
  const LiveMemory even = {
      .thread = ThreadId(1), .kind = MemoryKind::kNative, .amount = {2 + 4, 4, 2, 6}};
  const LiveMemory odd = {.thread = ThreadId(0), .amount = {1 + 3, 4, 2, 6}};
  EXPECT_EQ(parts[kMaxLiveParts], even);
  EXPECT_EQ(parts[kMaxLiveParts + 1], odd);
}

TEST(LivePartsTest, OfVeryManyThreadsTheyAreAddedUpByKind) {
  const std::vector<LiveMemory> all = Parts(3 * kMaxLiveParts, 3 * kMaxLiveParts);
  std::vector<LiveMemory> parts = all;
  BoundLiveParts(parts);
  EXPECT_EQ(parts.size(), kMaxLiveParts + 2);
  EXPECT_EQ(Total(parts), Total(all));
}

}  // namespace
}  // namespace pyrometer::format
