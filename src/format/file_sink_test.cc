// SPDX-License-Identifier: Apache-2.0
#include "format/file_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace pyrometer::format {
namespace {

std::vector<uint8_t> Bytes(std::string_view text) { return {text.begin(), text.end()}; }

TEST(FileSinkTest, AppendsInOrder) {
  std::string path = ::testing::TempDir() + "file_sink_XXXXXX";
  base::ScopedFd reader(::mkstemp(path.data()));
  FileSink sink(base::ScopedFd(::open(path.c_str(), O_WRONLY | O_CLOEXEC)));
  ::unlink(path.c_str());
  ASSERT_TRUE(sink.Append(Bytes("one ")).ok());
  ASSERT_TRUE(sink.Append({}).ok());
  ASSERT_TRUE(sink.Append(Bytes("two")).ok());
  char buffer[16];
  EXPECT_EQ(::read(reader.get(), buffer, sizeof(buffer)), 7);
  EXPECT_EQ(std::string_view(buffer, 7), "one two");
}

TEST(FileSinkTest, FullDiskIsAnErrorInWords) {
  FileSink sink(base::ScopedFd(::open("/dev/full", O_WRONLY | O_CLOEXEC)));
  const base::Status status = sink.Append(Bytes("one"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "cannot write the capture: No space left on device");
}

}  // namespace
}  // namespace pyrometer::format
