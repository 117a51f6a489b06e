// SPDX-License-Identifier: Apache-2.0
#include "profile/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace pyrometer::profile {
namespace {

TEST(MappedFile, WhatWasForgottenCanBeReadAgain) {
  const std::string path = ::testing::TempDir() + "mapped_file_test." + std::to_string(getpid());
  std::ofstream(path) << std::string(40'000'000, 'x') << "end";
  {
    auto file = MappedFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.error().message;
    for (const size_t size : {size_t{0}, size_t{20'000'000}, size_t{39'000'000}, size_t{1} << 40})
      file.value().Forget(size);
    const std::span<const uint8_t> bytes = file.value().bytes();
    EXPECT_EQ(bytes[0], 'x');
    EXPECT_EQ(bytes[20'000'000], 'x');
    EXPECT_EQ(bytes.back(), 'd');
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace pyrometer::profile
