// SPDX-License-Identifier: Apache-2.0
#include "format/block_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "format/block_unpacker.h"
#include "format/block_writer.h"
#include "format/memory_sink.h"

namespace pyrometer::format {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Bytes = std::vector<uint8_t>;

std::span<const uint8_t> AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// One file of blocks with text in them.
Bytes FileOf(std::initializer_list<std::string_view> texts) {
  MemorySink sink;
  BlockWriter writer(sink);
  for (const std::string_view text : texts) {
    EXPECT_TRUE(writer.Write(BlockType::kStrings, AsBytes(text)).ok());
  }
  return sink.bytes();
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class BlockScannerTest : public ::testing::Test {
 protected:
  std::vector<std::string> Scan(const Bytes& file) {
    BlockScanner scanner(file, 0);
    BlockUnpacker unpacker;
    Bytes buffer;
    std::vector<std::string> texts;
    while (const auto block = scanner.Next()) {
      const auto raw = unpacker.Unpack(*block, buffer);
      texts.emplace_back(raw ? std::string(raw->begin(), raw->end()) : "does not unpack");
    }
    bytes_lost_ = scanner.bytes_lost();
    return texts;
  }

  uint64_t bytes_lost_ = 0;
};

TEST_F(BlockScannerTest, FindsBlocksInOrder) {
  EXPECT_THAT(Scan(FileOf({"one", "", "three"})), ElementsAre("one", "", "three"));
  EXPECT_EQ(bytes_lost_, 0u);
}

TEST_F(BlockScannerTest, CompressesOnlyWhatGetsSmaller) {
  const std::string repeated(100000, 'x');
  const Bytes file = FileOf({repeated});
  EXPECT_LT(file.size(), 100u);
  EXPECT_THAT(Scan(file), ElementsAre(repeated));
  EXPECT_EQ(FileOf({"abc"}).size(), kBlockHeaderBytes + 3);
}

TEST_F(BlockScannerTest, SkipsGarbageBetweenBlocks) {
  Bytes file = FileOf({"one", "two"});
  const auto middle = file.begin() + static_cast<ptrdiff_t>(file.size() / 2);
  file.insert(middle, 1000, uint8_t{0xb7});
  EXPECT_THAT(Scan(file), ElementsAre("one", "two"));
  EXPECT_EQ(bytes_lost_, 1000u);
}

TEST_F(BlockScannerTest, MarkerInsideGarbageIsNotABlock) {
  const Bytes garbage = Bytes(kBlockSync.begin(), kBlockSync.end()) + Bytes(40, 0);
  EXPECT_THAT(Scan(garbage + FileOf({"one"})), ElementsAre("one"));
  EXPECT_EQ(bytes_lost_, garbage.size());
}

TEST_F(BlockScannerTest, ZerosAtTheEndAreLost) {
  EXPECT_THAT(Scan(FileOf({"one"}) + Bytes(4096, 0)), ElementsAre("one"));
  EXPECT_EQ(bytes_lost_, 4096u);
}

TEST_F(BlockScannerTest, EndsWhereAnotherCaptureBegins) {
  const Bytes first = FileOf({"one"});
  const Bytes second = FileOf({"of another", "file"});
  EXPECT_THAT(Scan(first + second), ElementsAre("one"));
  EXPECT_EQ(bytes_lost_, second.size());
}

TEST_F(BlockScannerTest, FileOfMarkersTakesLinearTime) {
  // Each marker announces the longest payload, so that checking all of them to
  // the end would take hours.
  Bytes file;
  const Bytes header = {0xb7, 0x9d, 0xe4, 0xf1, 0, 0, 0, 0, 2, 0, 0, 0,
                        0,    0,    0,    0,    0, 0, 0, 1, 0, 0, 0, 1};
  while (file.size() < kMaxBlockBytes + 100'000)
    file.insert(file.end(), header.begin(), header.end());
  EXPECT_THAT(Scan(file), IsEmpty());
  EXPECT_EQ(bytes_lost_, file.size());
}

}  // namespace
}  // namespace pyrometer::format
