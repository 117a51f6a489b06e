// SPDX-License-Identifier: Apache-2.0
#include "os/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace pyrometer::os {
namespace {

constexpr size_t kBytes = size_t{64} << 20;

TEST(ProcessMemoryTest, GrowsByWhatIsUsed) {
  const ResidentMemory resident(getpid());
  const uint64_t rss = resident.ReadBytes();
  const uint64_t pss = ReadPssBytes(getpid());
  const std::vector<char> used(kBytes, 1);
  EXPECT_GE(resident.ReadBytes(), rss + kBytes / 2);
  if (pss == 0) GTEST_SKIP() << "this kernel has no smaps_rollup";
  EXPECT_GE(ReadPssBytes(getpid()), pss + kBytes / 2);
  EXPECT_LE(ReadPssBytes(getpid()), resident.ReadBytes() + kBytes / 2);
  EXPECT_EQ(used.back(), 1);
}

TEST(ProcessMemoryTest, ThePeakStays) {
  // Not from malloc, which may keep what is freed: AddressSanitizer's does.
  void* const used =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(used, MAP_FAILED);
  std::memset(used, 1, kBytes);
  ASSERT_EQ(munmap(used, kBytes), 0);
  EXPECT_GE(ReadPeakResidentBytes(getpid()), ResidentMemory(getpid()).ReadBytes() + kBytes / 2);
}

TEST(ProcessMemoryTest, OfNobodyIsZero) {
  EXPECT_EQ(ResidentMemory(-1).ReadBytes(), 0u);
  EXPECT_EQ(ReadPssBytes(-1), 0u);
  EXPECT_EQ(ReadPeakResidentBytes(-1), 0u);
}

}  // namespace
}  // namespace pyrometer::os
