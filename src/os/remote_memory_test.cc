// SPDX-License-Identifier: Apache-2.0
#include "os/remote_memory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace pyrometer::os {
namespace {

// A child process that waits, with a page of zeros and none after it.
class RemoteMemoryTest : public testing::Test {
 protected:
  RemoteMemoryTest() {
    page_size_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    pages_ = static_cast<char*>(::mmap(nullptr, 2 * page_size_, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::munmap(pages_ + page_size_, page_size_);
    child_ = ::fork();
    if (child_ == 0) {
      for (;;) ::pause();
    }
    // Only the parent's copy changes: what is read must be the child's.
    pages_[0] = 1;
  }
  ~RemoteMemoryTest() override {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    ::munmap(pages_, page_size_);
  }

  bool Read(size_t offset, size_t size) {
    buffer_.assign(size, 'x');
    return RemoteMemory(child_).Read(reinterpret_cast<uint64_t>(pages_) + offset, buffer_.data(),
                                     size);
  }

  size_t page_size_;
  char* pages_;
  pid_t child_;
  std::string buffer_;
};

TEST_F(RemoteMemoryTest, ReadsTheOtherProcess) {
  ASSERT_TRUE(Read(0, 8));
  EXPECT_EQ(buffer_, std::string(8, '\0'));
}

TEST_F(RemoteMemoryTest, PartlyUnmappedFails) { EXPECT_FALSE(Read(page_size_ - 4, 8)); }

TEST_F(RemoteMemoryTest, UnmappedFails) { EXPECT_FALSE(Read(page_size_, 8)); }

TEST_F(RemoteMemoryTest, ReadsSeveralPiecesUpToTheFirstThatIsMissing) {
  const auto start = reinterpret_cast<uint64_t>(pages_);
  std::vector<uint64_t> addresses(100, start);
  addresses.push_back(start + page_size_);
  addresses.push_back(start);
  std::string bytes(addresses.size() * 8, 'x');
  std::vector<uint8_t*> out;
  for (size_t i = 0; i < addresses.size(); ++i)
    out.push_back(reinterpret_cast<uint8_t*>(bytes.data()) + i * 8);
  EXPECT_EQ(RemoteMemory(child_).ReadEach(addresses, out, 8), 100u);
  EXPECT_EQ(bytes.substr(0, 800), std::string(800, '\0'));
  EXPECT_EQ(bytes.substr(800), std::string(16, 'x'));
}

TEST_F(RemoteMemoryTest, MissingProcessFails) {
  char byte = 0;
  EXPECT_FALSE(RemoteMemory(1 << 30).Read(reinterpret_cast<uint64_t>(pages_), &byte, 1));
}

}  // namespace
}  // namespace pyrometer::os
