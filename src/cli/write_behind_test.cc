// SPDX-License-Identifier: Apache-2.0
#include "cli/write_behind.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include "base/scoped_fd.h"

namespace pyrometer::cli {
namespace {

class WriteBehindTest : public testing::Test {
 protected:
  WriteBehindTest() : path_(testing::TempDir() + "write_behind_XXXXXX") {
    file_.Reset(mkstemp(path_.data()));
  }
  ~WriteBehindTest() override { unlink(path_.c_str()); }

  std::string Content() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return std::move(text).str();
  }

  std::string path_;
  base::ScopedFd file_;
};

TEST_F(WriteBehindTest, WritesEverythingInOrder) {
  WriteBehind writer(file_.get());
  std::ostream out(&writer);
  std::ostringstream expected;
  for (int i = 0; i < 600'000; ++i) {
    out << i << ' ';
    expected << i << ' ';
  }
  EXPECT_EQ(writer.Finish(), 0);
  EXPECT_EQ(writer.Finish(), 0);
  EXPECT_TRUE(Content() == expected.str());
}

TEST_F(WriteBehindTest, WritesNothing) {
  EXPECT_EQ(WriteBehind(file_.get()).Finish(), 0);
  EXPECT_EQ(Content(), "");
}

TEST_F(WriteBehindTest, WhatIsDroppedIsWrittenToo) {
  {
    WriteBehind writer(file_.get());
    std::ostream(&writer) << "all of it";
  }
  EXPECT_EQ(Content(), "all of it");
}

TEST(WriteBehind, TellsWhyItFailed) {
  const base::ScopedFd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.valid()) GTEST_SKIP() << "no /dev/full";
  WriteBehind writer(full.get());
  std::ostream(&writer) << std::string(10 << 20, 'x');
  EXPECT_EQ(writer.Finish(), ENOSPC);
}

TEST(WriteBehind, AFileThatIsNotOpenIsAnError) {
  WriteBehind writer(-1);
  std::ostream(&writer) << "x";
  EXPECT_EQ(writer.Finish(), EBADF);
}

}  // namespace
}  // namespace pyrometer::cli
