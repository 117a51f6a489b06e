// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/sampled_blocks.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace pyrometer::agent {
namespace {

TEST(SampledBlocks, HoldsWhatWasInserted) {
  auto blocks = std::make_unique<SampledBlocks>();
  EXPECT_FALSE(blocks->MayHold(0x1000));
  EXPECT_FALSE(blocks->Remove(0x1000));
  ASSERT_TRUE(blocks->Insert(0x1000));
  EXPECT_TRUE(blocks->MayHold(0x1000));
  EXPECT_TRUE(blocks->Holds(0x1000));
  EXPECT_TRUE(blocks->MayHold(0x1010));
  EXPECT_FALSE(blocks->Holds(0x1010));
  EXPECT_EQ(blocks->size(), 1u);
  EXPECT_TRUE(blocks->Remove(0x1000));
  EXPECT_FALSE(blocks->Remove(0x1000));
  EXPECT_FALSE(blocks->MayHold(0x1000));
  EXPECT_EQ(blocks->size(), 0u);
}

TEST(SampledBlocks, FillsUpAndSaysSo) {
  auto blocks = std::make_unique<SampledBlocks>();
  std::vector<uint64_t> in;
  uint64_t refused = 0;
  for (uint64_t i = 1; i <= 2 * SampledBlocks::kSlots; ++i) {
    const uint64_t address = 0x7f0000000000 + i * 48;
    if (blocks->Insert(address))
      in.push_back(address);
    else
      ++refused;
  }
  EXPECT_GT(in.size(), SampledBlocks::kSlots * 9 / 10);
  EXPECT_EQ(in.size() + refused, 2 * SampledBlocks::kSlots);
  EXPECT_EQ(blocks->size(), in.size());
  for (const uint64_t address : in) ASSERT_TRUE(blocks->MayHold(address));
  for (const uint64_t address : in) ASSERT_TRUE(blocks->Remove(address));
  EXPECT_EQ(blocks->size(), 0u);
}

// More blocks in one slot of the filter than it can count: it must go on saying
// yes, or frees would be missed.
TEST(SampledBlocks, AFullCounterOfTheFilterStaysSet) {
  auto blocks = std::make_unique<SampledBlocks>();
  std::vector<uint64_t> in;
  const auto address = [](uint64_t i) { return (i << 38) + 0x40; };
  for (uint64_t i = 1; i <= 1000; ++i)
    if (blocks->Insert(address(i))) in.push_back(address(i));
  ASSERT_GT(in.size(), 256u);
  const uint64_t last = in.back();
  in.pop_back();
  for (const uint64_t a : in) ASSERT_TRUE(blocks->Remove(a));
  EXPECT_TRUE(blocks->MayHold(last));
}

TEST(SampledBlocks, ClearForgetsAll) {
  auto blocks = std::make_unique<SampledBlocks>();
  for (uint64_t i = 1; i <= 1000; ++i) blocks->Insert(i * 4096 + 16);
  blocks->Clear();
  EXPECT_EQ(blocks->size(), 0u);
  for (uint64_t i = 1; i <= 1000; ++i) {
    ASSERT_FALSE(blocks->MayHold(i * 4096 + 16));
    ASSERT_FALSE(blocks->Remove(i * 4096 + 16));
  }
}

TEST(SampledBlocks, ManyThreadsLoseNothing) {
  auto blocks = std::make_unique<SampledBlocks>();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 200; ++round) {
        for (uint64_t i = 1; i <= 500; ++i)
          if (!blocks->Insert((t << 32) + i * 64)) ++wrong;
        for (uint64_t i = 1; i <= 500; ++i)
          if (!blocks->MayHold((t << 32) + i * 64) || !blocks->Remove((t << 32) + i * 64)) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(blocks->size(), 0u);
}

}  // namespace
}  // namespace pyrometer::agent
