// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/perf_map.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <string>

namespace pyrometer::capture {
namespace {

std::string NameAt(const PerfMapText& text, uint64_t pc) {
  const std::string* name = text.Find(pc);
  return name == nullptr ? "" : *name;
}

TEST(PerfMapTextTest, EntriesAreRanges) {
  PerfMapText text;
  text.Add("1000 20 first\n0x2000 10 py::f:/project/a file.py\n");
  EXPECT_EQ(NameAt(text, 0xfff), "");
  EXPECT_EQ(NameAt(text, 0x1000), "first");
  EXPECT_EQ(NameAt(text, 0x101f), "first");
  EXPECT_EQ(NameAt(text, 0x1020), "");
  EXPECT_EQ(NameAt(text, 0x2001), "py::f:/project/a file.py");
}

TEST(PerfMapTextTest, LinesComeInPieces) {
  PerfMapText text;
  for (const char c : std::string("1000 20 one\n2000 20 two\n3000 20 thr")) text.Add({&c, 1});
  EXPECT_EQ(NameAt(text, 0x2000), "two");
  EXPECT_EQ(NameAt(text, 0x3000), "");  // its line has not ended
}

TEST(PerfMapTextTest, LaterCodeReplacesWhatItOverlaps) {
  PerfMapText text;
  text.Add("1000 100 a\n1100 100 b\n1200 100 c\n1080 100 new\n");
  EXPECT_EQ(NameAt(text, 0x1010), "");
  EXPECT_EQ(NameAt(text, 0x1080), "new");
  EXPECT_EQ(NameAt(text, 0x117f), "new");
  EXPECT_EQ(NameAt(text, 0x1190), "");
  EXPECT_EQ(NameAt(text, 0x1200), "c");
}

TEST(PerfMapTextTest, WhatIsNoEntryIsSkipped) {
  PerfMapText text;
  text.Add(
      "\n \nhello\n1000\n1000 10\n1000 0 empty\n1000 10 \nffffffffffffffff 10 wraps\n-1 10 x\n");
  text.Add("1000 10 " + std::string(PerfMapText::kMaxLineBytes, 'x') + "\n");
  EXPECT_EQ(text.size(), 0u);
  text.Add("1000 10 " + std::string(1000, 'y') + "\n");
  EXPECT_EQ(NameAt(text, 0x1000).size(), PerfMapText::kMaxNameBytes);
}

TEST(PerfMapTextTest, AnyBytesEnd) {
  std::mt19937 random{11};
  const std::string letters = "0123456789abcdef  \nxpy:";
  PerfMapText text;
  for (int i = 0; i < 20000; ++i) {
    std::string part;
    for (size_t n = random() % 40; n-- > 0;) part += letters[random() % letters.size()];
    text.Add(part);
    text.Find(random());
  }
  EXPECT_LE(text.size(), PerfMapText::kMaxEntries);
}

// The file of this process itself.
class PerfMapTest : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  void Write(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
  const std::string path_ = "/tmp/perf-" + std::to_string(getpid()) + ".map";
};

TEST_F(PerfMapTest, GrowsWithTheFile) {
  PerfMap map(getpid(), 0);
  map.Update();
  EXPECT_EQ(map.Find(0x1000), nullptr);
  Write("1000 20 one\n");
  map.Update();
  ASSERT_NE(map.Find(0x1000), nullptr);
  Write("2000 20 two\n");
  map.Update();
  EXPECT_EQ(*map.Find(0x2000), "two");
}

TEST_F(PerfMapTest, AnOlderFileIsAnothersOne) {
  Write("1000 20 one\n");
  PerfMap map(getpid(), uint64_t{1} << 62);
  map.Update();
  EXPECT_EQ(map.Find(0x1000), nullptr);
}

TEST_F(PerfMapTest, LinksAndPipesAreNotRead) {
  const std::string target = path_ + ".target";
  std::ofstream(target) << "1000 20 one\n";
  ASSERT_EQ(symlink(target.c_str(), path_.c_str()), 0);
  PerfMap link(getpid(), 0);
  link.Update();
  EXPECT_EQ(link.Find(0x1000), nullptr);
  std::remove(path_.c_str());
  std::remove(target.c_str());
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  PerfMap pipe(getpid(), 0);
  pipe.Update();  // does not wait
  EXPECT_EQ(pipe.Find(0x1000), nullptr);
}

}  // namespace
}  // namespace pyrometer::capture
