// SPDX-License-Identifier: Apache-2.0
#include "sigsafe/local_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace pyrometer::sigsafe {
namespace {

class LocalReaderTest : public testing::Test {
 protected:
  LocalReaderTest() {
    void* p = mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = reinterpret_cast<uint64_t>(p);
    munmap(static_cast<char*>(p) + 4096, 4096);  // a hole in the middle
  }
  ~LocalReaderTest() override { munmap(reinterpret_cast<void*>(base_), 3 * 4096); }

  bool Read(uint64_t address, size_t size) {
    char out[8192];
    return LocalReader(cache_, 0, 0).Read(address, out, size);
  }

  PageCache cache_{};
  uint64_t base_ = 0;
};

TEST_F(LocalReaderTest, ReadsWhatIsThere) {
  *reinterpret_cast<uint64_t*>(base_ + 16) = 42;
  uint64_t v = 0;
  ASSERT_TRUE(LocalReader(cache_, 0, 0).Read(base_ + 16, &v, 8));
  EXPECT_EQ(v, 42u);
}

TEST_F(LocalReaderTest, RefusesHolesNullAndKernelAddresses) {
  EXPECT_FALSE(Read(base_ + 4096, 1));
  EXPECT_FALSE(Read(base_ + 4090, 8));  // runs into the hole
  EXPECT_FALSE(Read(0, 8));
  EXPECT_FALSE(Read(8, 8));
  EXPECT_FALSE(Read(~uint64_t{0} - 3, 8));
  EXPECT_FALSE(Read(0xffffffff81000000, 8));
  EXPECT_TRUE(Read(base_ + 2 * 4096, 4096));
}

TEST_F(LocalReaderTest, ForgetsPagesBetweenSamples) {
  EXPECT_TRUE(Read(base_, 8));
  mprotect(reinterpret_cast<void*>(base_), 4096, PROT_NONE);
  EXPECT_FALSE(Read(base_, 8));
}

TEST_F(LocalReaderTest, KeepsPagesOfAGeneration) {
  char out[8];
  EXPECT_TRUE(LocalReader(cache_, 7).Read(base_, out, 8));
  EXPECT_TRUE(LocalReader(cache_, 7).Read(base_, out, 8));
  mprotect(reinterpret_cast<void*>(base_), 4096, PROT_NONE);
  EXPECT_FALSE(LocalReader(cache_, 8).Read(base_, out, 8));
}

TEST(Syscall, AnswersMinusErrnoAndLeavesErrnoAlone) {
  errno = 7;
  EXPECT_EQ(Syscall(SYS_close, -1), -EBADF);
  EXPECT_EQ(errno, 7);
}

}  // namespace
}  // namespace pyrometer::sigsafe
