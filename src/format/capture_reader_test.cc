// SPDX-License-Identifier: Apache-2.0
#include "format/capture_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/block_scanner.h"
#include "format/block_writer.h"
#include "format/byte_writer.h"
#include "format/checksum.h"
#include "format/layout.h"
#include "format/memory_change_codec.h"
#include "format/memory_sink.h"
#include "format/testing/small_capture.h"
#include "format/testing/text_dump.h"

namespace pyrometer::format {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TextDump;
using Bytes = std::vector<uint8_t>;
using Lines = std::vector<std::string>;

// Where a part of the small capture (its header or a block) lies, and the
// lines that it stands for.
struct Part {
  size_t begin;
  size_t end;
  Lines lines;
};

// Reads by one thread and by two, which must not differ.
Lines ReadBothWays(std::span<const uint8_t> file, ReadLimits limits, ReadReport& report) {
  TextDump alone, ahead;
  limits.read_ahead_from_bytes = file.size() + 1;
  report = CaptureReader::Read(file, alone, limits);
  limits.read_ahead_from_bytes = 0;
  EXPECT_EQ(CaptureReader::Read(file, ahead, limits), report);
  EXPECT_EQ(alone.lines(), ahead.lines());
  return alone.lines();
}

class CaptureReaderTest : public ::testing::Test {
 protected:
  Lines Read(std::span<const uint8_t> file) { return ReadBothWays(file, {}, report_); }

  // The parts of `file`, found by reading ever more of its blocks.
  std::vector<Part> PartsOf(std::span<const uint8_t> file) {
    std::vector<Part> parts = {{0, kFileHeaderBytes, {}}};
    BlockScanner scanner(file, kFileHeaderBytes);
    size_t lines_before = 0;
    while (const auto block = scanner.Next()) {
      const size_t begin = parts.back().end;
      const size_t end = begin + block->file_bytes();
      const Lines lines = Read(file.first(end));
      parts.push_back({begin, end, Lines(lines.begin() + lines_before, lines.end())});
      lines_before = lines.size();
    }
    return parts;
  }

  const Bytes file_ = testing::SmallCapture();
  ReadReport report_;
};

TEST_F(CaptureReaderTest, ReadsAWholeFile) {
  EXPECT_THAT(Read(file_), SizeIs(57));
  EXPECT_EQ(report_.blocks_skipped, 0u);
  EXPECT_EQ(report_.outcome, ReadOutcome::kRead);
  EXPECT_EQ(report_.version, 1);
  EXPECT_EQ(report_.bytes_read, file_.size());
  EXPECT_EQ(report_.bytes_lost, 0u);
  EXPECT_EQ(report_.records_invalid, 0u);
  EXPECT_TRUE(report_.orderly_end);
}

TEST_F(CaptureReaderTest, TellsHowFarItIs) {
  for (const uint64_t read_ahead_from_bytes : {uint64_t{0}, uint64_t{1} << 30}) {
    std::vector<size_t> done;
    TextDump dump;
    CaptureReader::Read(file_, dump, {.read_ahead_from_bytes = read_ahead_from_bytes},
                        [&](size_t bytes) { done.push_back(bytes); });
    ASSERT_FALSE(done.empty());
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_LT(done.front(), done.back());
    EXPECT_LT(done.back(), file_.size());
  }
}

TEST_F(CaptureReaderTest, CutAnywhereYieldsTheBlocksBefore) {
  const std::vector<Part> parts = PartsOf(file_);
  size_t whole = 0;
  Lines expected;
  for (size_t size = 1; size < file_.size(); ++size) {
    if (size >= parts[whole].end) {
      expected.insert(expected.end(), parts[whole].lines.begin(), parts[whole].lines.end());
      ++whole;
    }
    ASSERT_EQ(Read(std::span(file_).first(size)), expected) << "cut at " << size;
    ASSERT_EQ(report_.outcome, ReadOutcome::kRead);
    ASSERT_EQ(report_.bytes_read, whole == 0 ? 0 : parts[whole - 1].end) << "cut at " << size;
    ASSERT_EQ(report_.bytes_read + report_.bytes_lost, size);
    ASSERT_FALSE(report_.orderly_end);
  }
}

TEST_F(CaptureReaderTest, DamageAnywhereCostsOneBlock) {
  const std::vector<Part> parts = PartsOf(file_);
  ASSERT_FALSE(parts.empty());
  for (const Part& part : parts) {
    Lines expected;
    for (const Part& other : parts) {
      if (other.begin == part.begin) continue;
      expected.insert(expected.end(), other.lines.begin(), other.lines.end());
    }
    for (size_t at = part.begin; at < part.end; ++at) {
      for (const uint8_t bits : {0x01, 0x80, 0xff}) {
        Bytes damaged = file_;
        damaged[at] ^= bits;
        ASSERT_EQ(Read(damaged), expected) << "byte " << at << " ^ " << int{bits};
        ASSERT_EQ(report_.bytes_lost, part.end - part.begin) << "byte " << at;
        ASSERT_EQ(report_.bytes_read + report_.bytes_lost, file_.size());
      }
    }
  }
}

TEST_F(CaptureReaderTest, MissingBlockDoesNotShiftIds) {
  for (const Part& part : PartsOf(file_)) {
    Bytes shortened(file_.begin(), file_.begin() + static_cast<ptrdiff_t>(part.begin));
    shortened.insert(shortened.end(), file_.begin() + static_cast<ptrdiff_t>(part.end),
                     file_.end());
    const Lines all = Read(file_), left = Read(shortened);
    ASSERT_FALSE(left.empty());
    for (const std::string& line : left) EXPECT_THAT(all, ::testing::Contains(line));
  }
}

TEST_F(CaptureReaderTest, Empty) {
  EXPECT_THAT(Read({}), IsEmpty());
  EXPECT_EQ(report_.outcome, ReadOutcome::kEmpty);
}

TEST_F(CaptureReaderTest, NotACapture) {
  EXPECT_THAT(Read(Bytes(5000, 'x')), IsEmpty());
  EXPECT_EQ(report_.outcome, ReadOutcome::kNotACapture);
}

TEST_F(CaptureReaderTest, NewerVersionIsLeftAlone) {
  ByteWriter header;
  header.Bytes(kFileMagic);
  header.Fixed(uint16_t{kFormatVersion + 1});
  header.Fixed(uint16_t{0});
  header.Fixed(Checksum(header.bytes()));
  Bytes newer = file_;
  std::ranges::copy(header.bytes(), newer.begin());
  EXPECT_THAT(Read(newer), IsEmpty());
  EXPECT_EQ(report_.outcome, ReadOutcome::kNewerVersion);
  EXPECT_EQ(report_.version, kFormatVersion + 1);
}

// Sound blocks with contents of the test's choice.
class CraftedBlocksTest : public ::testing::Test {
 protected:
  CraftedBlocksTest() { EXPECT_TRUE(blocks_.WriteFileHeader().ok()); }

  void Block(BlockType type, const Bytes& payload) {
    EXPECT_TRUE(blocks_.Write(type, payload).ok());
  }
  Lines Read(const ReadLimits& limits = {}) { return ReadBothWays(sink_.bytes(), limits, report_); }

  MemorySink sink_;
  BlockWriter blocks_{sink_};
  ReadReport report_;
};

TEST_F(CraftedBlocksTest, UnknownTypesAreSkippedAndCounted) {
  Block(static_cast<BlockType>(0), {1});
  Block(BlockType::kStrings, {1, 1, 1, 'a'});
  Block(static_cast<BlockType>(200), {1, 2, 3});
  Block(static_cast<BlockType>(255), {});
  EXPECT_THAT(Read(), ElementsAre("string 1 'a'"));
  EXPECT_EQ(report_.blocks_skipped, 3u);
  EXPECT_EQ(report_.bytes_lost, 0u);
}

TEST_F(CraftedBlocksTest, IdsMayLeaveGaps) {
  Block(BlockType::kStrings, {5, 1, 1, 'a'});
  Block(BlockType::kStrings, {9, 1, 1, 'b'});
  EXPECT_THAT(Read(), ElementsAre("string 5 'a'", "string 9 'b'"));
}

TEST_F(CraftedBlocksTest, IdsAreNeverDefinedTwice) {
  Block(BlockType::kStrings, {5, 2, 1, 'a', 1, 'b'});
  Block(BlockType::kStrings, {6, 1, 1, 'c'});
  EXPECT_THAT(Read(), ElementsAre("string 5 'a'", "string 6 'b'"));
  EXPECT_EQ(report_.records_invalid, 1u);
}

TEST_F(CraftedBlocksTest, ReservedIdsCannotBeDefined) {
  Block(BlockType::kStrings, {0, 1, 1, 'a'});
  Block(BlockType::kStacks, {0, 1, 0, 0});
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_EQ(report_.records_invalid, 2u);
}

TEST_F(CraftedBlocksTest, RecordsBeforeAMalformedOneAreKept) {
  Block(BlockType::kFrames, {0, 3, 2, 7, 99, 0, 0});
  EXPECT_THAT(Read(), ElementsAre("frame 0 special name=7"));
  EXPECT_EQ(report_.records_invalid, 2u);
}

TEST_F(CraftedBlocksTest, LeftoverBytesAreCounted) {
  Block(BlockType::kStrings, {1, 1, 1, 'a', 0xee});
  EXPECT_THAT(Read(), SizeIs(1));
  EXPECT_EQ(report_.records_invalid, 1u);
}

TEST_F(CraftedBlocksTest, CallerMustComeBeforeCallee) {
  Block(BlockType::kStacks, {3, 1, 0, 0});
  Block(BlockType::kStacks, {4, 1, 5, 0});
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_EQ(report_.records_invalid, 2u);
}

TEST_F(CraftedBlocksTest, UnknownActivityIsDropped) {
  // Two samples; columns of two bytes each. The first has activity 10.
  Block(BlockType::kSamples, {2, 0, 0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 10, 9, 0, 0, 1, 1});
  EXPECT_THAT(Read(), ElementsAre("sample time=0 thread=0 stack=0 activity=9 weight=0 count=1"));
  EXPECT_EQ(report_.records_invalid, 1u);
}

TEST_F(CraftedBlocksTest, UnknownKindOfMemoryIsDropped) {
  // Two rows; columns of two bytes each. The first has kind 4.
  Bytes rows(1 + kMemoryChangeColumns, 2);
  rows.resize(rows.size() + 2 * kMemoryChangeColumns, 0);
  rows[1 + kMemoryChangeColumns + 2 * 3] = 4;
  Block(BlockType::kMemoryChanges, rows);
  EXPECT_THAT(Read(), ElementsAre("memory_change time=0 thread=0 stack=0 kind=0 "
                                  "allocated=0/0/0/0 freed=0/0/0/0 high=0"));
  EXPECT_EQ(report_.records_invalid, 1u);
}

TEST_F(CraftedBlocksTest, CopiesAreNeverLive) {
  Block(BlockType::kMemoryPeaks, {1, 0, 0, 1, 0, 0, 2, 9, 9, 9, 9});
  Block(BlockType::kMemoryPeaks, {1, 0, 0, 1, 0, 0, 3, 9, 9, 9, 9});
  EXPECT_THAT(Read(), ElementsAre("memory_peak process=0 time=0 parts=[0:0:2:0=9/9/9/9]"));
  EXPECT_EQ(report_.records_invalid, 1u);
}

TEST_F(CraftedBlocksTest, AbsurdCountsAreHarmless) {
  const Bytes huge = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  for (uint8_t type = 1; type <= 28; ++type) Block(static_cast<BlockType>(type), huge);
  EXPECT_THAT(Read(), ElementsAre(::testing::StartsWith("run_end")));
  EXPECT_GE(report_.records_invalid, 26u);
}

TEST_F(CraftedBlocksTest, MemoryIsBounded) {
  // A megabyte of empty strings packs into some dozen bytes.
  constexpr ReadLimits kLimits = {.memory_bytes = 1 << 20, .memory_bytes_per_file_byte = 0};
  Block(BlockType::kStrings, {1, 1, 1, 'a'});
  ByteWriter bomb;
  bomb.Varint(2);
  bomb.Varint(900'000);
  for (int i = 0; i < 900'000; ++i) bomb.Byte(0);
  Block(BlockType::kStrings, {bomb.bytes().begin(), bomb.bytes().end()});
  Block(BlockType::kCodes, {0, 1, 0, 0, 0});
  EXPECT_LT(Read(kLimits).size(), 20'000u);
  EXPECT_GT(report_.bytes_lost, 0u);
  EXPECT_EQ(report_.bytes_read + report_.bytes_lost, sink_.bytes().size());
}

TEST_F(CraftedBlocksTest, AnnouncedSizeMustBeTrue) {
  MemorySink lying;
  {
    const Bytes zeros(1000, 0);
    BlockWriter writer(lying);
    ASSERT_TRUE(writer.Write(BlockType::kStrings, zeros).ok());
  }
  Bytes block = lying.bytes();
  block[20] ^= 1;
  ByteWriter checksum;
  checksum.Fixed(Checksum(std::span(block).subspan(kBlockCheckedFrom)));
  std::ranges::copy(checksum.bytes(), block.begin() + 4);
  ASSERT_TRUE(sink_.Append(block).ok());
  EXPECT_THAT(Read(), IsEmpty());
  EXPECT_EQ(report_.bytes_lost, block.size());
}

std::string FileText(const std::string& name) {
  std::ifstream in(std::string(PYRO_CORPUS_DIR) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The file was written once, by the first writer of version 1, and must be
// readable for ever; the text beside it was checked by eye.
TEST(GoldenFileTest, Version1) {
  const std::string file = FileText("format-v1.pyro");
  TextDump dump;
  const ReadReport report =
      CaptureReader::Read({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, dump);
  EXPECT_EQ(report.bytes_lost, 0u);
  EXPECT_EQ(report.records_invalid, 0u);
  EXPECT_FALSE(dump.lines().empty());
  EXPECT_EQ(dump.text(), FileText("format-v1.txt"));
}

}  // namespace
}  // namespace pyrometer::format
