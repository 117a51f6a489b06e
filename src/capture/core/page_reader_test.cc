// SPDX-License-Identifier: Apache-2.0
#include "capture/core/page_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace pyrometer::capture {
namespace {

// Three pages of this process, of which any can be taken away.
class PageReaderTest : public testing::Test {
 protected:
  static constexpr size_t kPage = 4096;

  PageReaderTest()
      : pages_(static_cast<uint8_t*>(mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~PageReaderTest() override { munmap(pages_, 3 * kPage); }

  uint64_t Address(size_t page) const { return reinterpret_cast<uint64_t>(pages_) + page * kPage; }
  void Write(size_t page, uint8_t value) { pages_[page * kPage + 7] = value; }
  void Unmap(size_t page) { munmap(pages_ + page * kPage, kPage); }
  // -1: it cannot be read.
  int Read(size_t page) const {
    uint8_t value = 0;
    return reader_.Read(Address(page) + 7, &value, 1) ? value : -1;
  }

  uint8_t* pages_;
  os::RemoteMemory memory_{getpid()};
  PageReader reader_{memory_};
};

TEST_F(PageReaderTest, KeepsPagesUntilItForgets) {
  Write(0, 1);
  EXPECT_EQ(Read(0), 1);
  Write(0, 2);
  EXPECT_EQ(Read(0), 1);
  reader_.Forget();
  EXPECT_EQ(Read(0), 2);
}

TEST_F(PageReaderTest, RenewsWhatIsExpectedAtOnce) {
  Write(0, 1);
  Write(2, 3);
  reader_.Renew({Address(0), Address(2)});
  Write(0, 10);
  Unmap(2);
  EXPECT_EQ(Read(0), 1);
  EXPECT_EQ(Read(2), 3);
  reader_.Renew({Address(0)});
  EXPECT_EQ(Read(0), 10);
  EXPECT_EQ(Read(2), -1);
}

TEST_F(PageReaderTest, DoesWithoutPagesThatAreGone) {
  Unmap(1);
  Write(2, 3);
  reader_.Renew({Address(1), Address(0), Address(2)});
  Write(2, 4);
  EXPECT_EQ(Read(1), -1);
  EXPECT_EQ(Read(2), 3);
}

TEST_F(PageReaderTest, KnowsWhichPagesWereUsed) {
  reader_.Renew({Address(0), Address(1)});
  Unmap(2);
  EXPECT_EQ(reader_.Used(), PageReader::Pages());
  Read(1);
  Read(2);
  EXPECT_EQ(reader_.Used(), PageReader::Pages{Address(1)});
}

}  // namespace
}  // namespace pyrometer::capture
