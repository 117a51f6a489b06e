// SPDX-License-Identifier: Apache-2.0
#include "os/page_map.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace pyrometer::os {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPages = 3000;

class PageMapTest : public ::testing::Test {
 protected:
  PageMapTest() {
    void* mapped =
        mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(mapped, kPages * kPage, MADV_NOHUGEPAGE);
    memory_ = static_cast<char*>(mapped);
  }
  ~PageMapTest() override { munmap(memory_, kPages * kPage); }

  uint64_t Taken(size_t from, size_t bytes) const {
    return map_.TakenBytes(reinterpret_cast<uint64_t>(memory_) + from, bytes).value_or(~0u);
  }

  char* memory_;
  PageMap map_{getpid()};
};

TEST_F(PageMapTest, CountsWhatWasWritten) {
  EXPECT_EQ(Taken(0, kPages * kPage), 0u);
  std::memset(memory_ + 10 * kPage, 1, 5 * kPage);
  for (size_t page = 100; page < kPages; page += 2) memory_[page * kPage] = 1;
  EXPECT_EQ(Taken(0, kPages * kPage), (5 + 1450) * kPage);
  EXPECT_EQ(Taken(0, 20 * kPage), 5 * kPage);
}

TEST_F(PageMapTest, PagesCountAsFarAsTheyLieInTheRange) {
  std::memset(memory_, 1, 4 * kPage);
  EXPECT_EQ(Taken(100, kPage), kPage);
  EXPECT_EQ(Taken(3 * kPage + 96, 3 * kPage), kPage - 96);
}

TEST_F(PageMapTest, WhatIsGivenBackDoesNotCount) {
  std::memset(memory_, 1, 100 * kPage);
  madvise(memory_, 50 * kPage, MADV_DONTNEED);
  EXPECT_EQ(Taken(0, kPages * kPage), 50 * kPage);
}

TEST(PageMap, OfNoProcessTellsNothing) {
  EXPECT_FALSE(PageMap(0x7fffffff).TakenBytes(0x10000, kPage));
  EXPECT_FALSE(PageMap(getpid()).TakenBytes(~uint64_t{0} - 10, kPage));
}

}  // namespace
}  // namespace pyrometer::os
