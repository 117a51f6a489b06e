// SPDX-License-Identifier: Apache-2.0
#include "agent/engines/memory/large_blocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <memory>

namespace pyrometer::agent {
namespace {

class LargeBlocksTest : public ::testing::Test {
 protected:
  static constexpr size_t kPage = 4096;

  char* Map(size_t bytes) {
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(mapped, bytes, MADV_NOHUGEPAGE);
    blocks_->Add(reinterpret_cast<uint64_t>(mapped), bytes);
    return static_cast<char*>(mapped);
  }
  std::map<uint64_t, uint64_t> Taken() const {
    std::map<uint64_t, uint64_t> taken;
    blocks_->ForEachTaken([&](uint64_t address, uint64_t bytes) { taken[address] = bytes; });
    return taken;
  }
  uint64_t TakenAt(const void* address) const {
    return Taken().at(reinterpret_cast<uint64_t>(address));
  }

  std::unique_ptr<LargeBlocks> blocks_ = std::make_unique<LargeBlocks>();
};

TEST_F(LargeBlocksTest, CountsPagesThatWereWritten) {
  constexpr size_t kBytes = 10'000 * kPage;
  char* block = Map(kBytes);
  EXPECT_EQ(TakenAt(block), 0u);
  std::memset(block + 5'000 * kPage, 1, 2'000 * kPage);
  EXPECT_EQ(TakenAt(block), 2'000 * kPage);
  std::memset(block, 1, kBytes);
  EXPECT_EQ(TakenAt(block), kBytes);
  munmap(block, kBytes);
  EXPECT_TRUE(Taken().empty());
}

TEST_F(LargeBlocksTest, WhatIsVeryLargeIsLookedAtInParts) {
  constexpr size_t kBytes = size_t{64} << 30;
  char* block = Map(kBytes);
  EXPECT_EQ(TakenAt(block), 0u);
  munmap(block, kBytes);
}

TEST_F(LargeBlocksTest, TheLastOnesAreKnown) {
  for (uint64_t i = 1; i <= 100; ++i) blocks_->Add(i * kPage, kPage);  // nothing is there
  char* block = Map(kPage);
  block[0] = 1;
  EXPECT_EQ(Taken().size(), 1u);
  EXPECT_EQ(TakenAt(block), kPage);
  blocks_->Clear();
  EXPECT_TRUE(Taken().empty());
  munmap(block, kPage);
}

}  // namespace
}  // namespace pyrometer::agent
