// SPDX-License-Identifier: Apache-2.0
#include "os/executable_maps.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <string>

namespace pyrometer::os {
namespace {

TEST(ExecutableMapsTest, FilesAndGeneratedCode) {
  const auto maps = ParseExecutableMaps(
      "1000-2000 r--p 00000000 08:01 77                         /usr/lib/a b.so\n"
      "2000-3000 r-xp 00001000 08:01 77                         /usr/lib/a b.so\n"
      "4000-5000 rwxp 00000000 00:00 0 \n"
      "5000-6000 rw-p 00000000 00:00 0 \n"
      "6000-7000 r-xs 00000000 00:01 9                          /memfd:jit (deleted)\n"
      "7000-8000 r-xp 00000000 00:00 0                          [vdso]\n");
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[0].path, "/usr/lib/a b.so");
  EXPECT_EQ(maps[0].base, 0x1000u);
  EXPECT_FALSE(maps[0].generated);
  EXPECT_EQ(maps[1].start, 0x4000u);
  EXPECT_EQ(maps[1].end, 0x5000u);
  EXPECT_TRUE(maps[1].generated);
  EXPECT_TRUE(maps[2].generated);
}

TEST(ExecutableMapsTest, OwnCodeIsOfAFile) {
  const auto maps = ReadExecutableMaps(getpid());
  const auto here = reinterpret_cast<uint64_t>(&ParseExecutableMaps);
  bool found = false;
  for (const ExecutableMap& map : maps)
    if (here >= map.start && here < map.end) found = !map.generated && map.base != 0;
  EXPECT_TRUE(found);
}

TEST(ExecutableMapsTest, AnyTextEnds) {
  std::mt19937 random{3};
  const std::string letters = "0123456789abcdef-rwxp \n/[]";
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (size_t n = random() % 300; n-- > 0;) text += letters[random() % letters.size()];
    ParseExecutableMaps(text);
  }
}

}  // namespace
}  // namespace pyrometer::os
