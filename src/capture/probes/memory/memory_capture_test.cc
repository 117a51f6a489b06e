// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "format/capture_reader.h"
#include "format/memory_sink.h"

namespace pyrometer::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using transport::MemoryKind;

constexpr uint64_t kMs = 1'000'000;

// The records of memory in a capture.
struct Rows : format::RecordVisitor {
  bool OnString(format::StringId id, std::string_view text) override {
    strings[id] = text;
    return true;
  }
  bool OnMemoryChange(const format::MemoryChange& row) override {
    changes.push_back(row);
    return true;
  }
  bool OnMemoryPeak(format::MemoryPeak row) override {
    peaks.push_back(std::move(row));
    return true;
  }
  bool OnMemorySurvivors(format::MemorySurvivors row) override {
    survivors.push_back(std::move(row));
    return true;
  }
  bool OnMemoryLevel(format::MemoryLevel row) override {
    levels.push_back(row);
    return true;
  }

  std::map<format::StringId, std::string> strings;
  std::vector<format::MemoryChange> changes;
  std::vector<format::MemoryPeak> peaks;
  std::vector<format::MemorySurvivors> survivors;
  std::vector<format::MemoryLevel> levels;
};

// Follows this very process, which began at 0, with requests of the test's choice.
class MemoryCaptureTest : public ::testing::Test {
 protected:
  bool Allocate(uint64_t time_ns, uint64_t address, uint64_t bytes,
                MemoryKind kind = MemoryKind::kNative) {
    return memory_.OnRequest({static_cast<format::MemoryKind>(kind),
                              {},
                              format::StackId(5),
                              address,
                              bytes,
                              0,
                              0,
                              time_ns});
  }
  bool Free(uint64_t time_ns, uint64_t address, uint32_t flags = 0,
            MemoryKind kind = MemoryKind::kNative) {
    transport::MemoryFree free{};
    free.kind = kind;
    free.address = address;
    free.flags = flags;
    return memory_.OnFree(free, time_ns);
  }
  Rows Written() {
    Rows rows;
    EXPECT_TRUE(writer_.Flush().ok());
    EXPECT_EQ(format::CaptureReader::Read(sink_.bytes(), rows).records_invalid, 0u);
    return rows;
  }
  // The ends of windows with changes, in milliseconds.
  std::vector<uint64_t> Ends() {
    std::vector<uint64_t> ends;
    for (const format::MemoryChange& row : Written().changes) ends.push_back(row.time_ns / kMs);
    return ends;
  }

  format::MemorySink sink_;
  format::CaptureWriter writer_{sink_, {}};
  cpython::Layout layout_ = *cpython::FindLayout(0x030c00f0);
  transport::MemoryLevels levels_{};
  MemoryCapture memory_{getpid(), {}, 0, layout_, levels_, writer_};
};

TEST_F(MemoryCaptureTest, WindowsGrowWithTheAgeOfTheProcess) {
  uint64_t address = 16;
  for (const uint64_t ms :
       {10, 20, 39, 40, 60'000, 60'400, 60'480, 2'000'000, 2'009'999, 2'010'000}) {
    Allocate(ms * kMs, address += 16, 1);
    memory_.Check(ms * kMs);
  }
  EXPECT_THAT(Ends(), ElementsAre(20, 40, 60'000, 60'480, 2'000'000, 2'010'000));
}

TEST_F(MemoryCaptureTest, ChangesAddUpToWhatIsLive) {
  for (uint64_t i = 1; i <= 100; ++i) {
    Allocate(i * 7 * kMs, 16 * i, 100 + i);
    if (i % 3 == 0) Free(i * 7 * kMs, 16 * (i / 3));
    memory_.Check(i * 7 * kMs);
  }
  memory_.Checkpoint(800 * kMs);
  const Rows rows = Written();
  format::MemoryAmount sum;
  for (const format::MemoryChange& row : rows.changes) {
    EXPECT_EQ(row.stack, format::StackId(5));
    sum += row.allocated;
    sum -= row.freed;
  }
  ASSERT_THAT(rows.survivors, SizeIs(1));
  ASSERT_THAT(rows.survivors[0].parts, SizeIs(1));
  EXPECT_EQ(rows.survivors[0].parts[0].amount, sum);
  EXPECT_EQ(rows.survivors[0].time_ns, 800 * kMs);
}

TEST_F(MemoryCaptureTest, WhatIsLeftToTheInterpreterHasSurvived) {
  Allocate(1 * kMs, 0x10, 100);
  Allocate(2 * kMs, 0x20, 200);
  Free(3 * kMs, 0x10);
  Free(4 * kMs, 0x20, transport::kAtExit);
  Allocate(5 * kMs, 0x30, 1000);
  Free(6 * kMs, 0x30);
  memory_.Check(500 * kMs);
  memory_.Checkpoint(900 * kMs);
  const Rows rows = Written();
  ASSERT_THAT(rows.changes, SizeIs(1));
  EXPECT_EQ(rows.changes[0].time_ns, 4 * kMs);
  EXPECT_EQ(rows.changes[0].freed.bytes, 100u);
  ASSERT_THAT(rows.survivors, SizeIs(1));
  EXPECT_EQ(rows.survivors[0].time_ns, 4 * kMs);
  ASSERT_THAT(rows.survivors[0].parts, SizeIs(1));
  EXPECT_EQ(rows.survivors[0].parts[0].amount.bytes, 200u);
  ASSERT_THAT(rows.peaks, SizeIs(1));
  EXPECT_EQ(rows.peaks[0].time_ns, 2 * kMs);
  EXPECT_THAT(rows.levels, SizeIs(1));
}

TEST_F(MemoryCaptureTest, AGrowingPeakIsWrittenNowAndThen) {
  // Once a second at most, and not for less than a tenth.
  for (uint64_t second = 1; second <= 4; ++second) {
    Allocate(second * 1000 * kMs, 16 * second, second == 3 ? 1 : 100);
    memory_.Check(second * 1000 * kMs);
  }
  ASSERT_THAT(Written().peaks, SizeIs(3));
  memory_.Checkpoint(4'500 * kMs);
  EXPECT_THAT(Written().peaks, SizeIs(3));
  Allocate(4'600 * kMs, 0x1000, 1);
  memory_.Checkpoint(4'700 * kMs);
  ASSERT_THAT(Written().peaks, SizeIs(4));
  EXPECT_EQ(Written().peaks.back().time_ns, 4'600 * kMs);
}

TEST_F(MemoryCaptureTest, LevelsTellWhatIsUsedAndWhatIsHeld) {
  levels_.arena_bytes = 1 << 20;
  Allocate(1 * kMs, 0x10, 100, MemoryKind::kPython);
  Allocate(1 * kMs, 0x20, 1000, MemoryKind::kPython);
  Allocate(1 * kMs, 0x30, 300, MemoryKind::kNative);
  Allocate(1 * kMs, 0x1000, 4096, MemoryKind::kMapped);
  Allocate(1 * kMs, 0, 77, MemoryKind::kCopied);
  memory_.Check(20 * kMs);
  const Rows rows = Written();
  ASSERT_THAT(rows.levels, SizeIs(1));
  const format::MemoryLevel& level = rows.levels[0];
  EXPECT_EQ(level.time_ns, 20 * kMs);
  EXPECT_GT(level.rss_bytes, 0u);
  EXPECT_EQ(level.python_bytes, 1100u);
  EXPECT_EQ(level.native_bytes, 300u);
  EXPECT_EQ(level.mapped_bytes, 4096u);
  EXPECT_EQ(level.arena_bytes, 1u << 20);
  EXPECT_EQ(level.small_bytes, 100u);
}

// A mapping of this process, of whose pages some are written.
class PagesTest : public MemoryCaptureTest {
 protected:
  static constexpr uint64_t kBytes = 8 << 20;

  PagesTest()
      : memory(static_cast<char*>(
            mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    madvise(memory, kBytes, MADV_NOHUGEPAGE);
  }
  ~PagesTest() override { munmap(memory, kBytes); }

  uint64_t address() const { return reinterpret_cast<uint64_t>(memory); }
  void Write(uint64_t from, uint64_t to) { std::memset(memory + from, 1, to - from); }
  // As of the last window, which ends at `ms`.
  uint64_t MappedAt(uint64_t ms) {
    memory_.Check(ms * kMs);
    return Written().levels.back().mapped_bytes;
  }
  bool Tell(uint64_t flags, uint64_t at, uint64_t bytes, uint64_t time_ns) {
    transport::MemoryFree free{};
    free.kind = MemoryKind::kMapped;
    free.flags = static_cast<uint32_t>(flags);
    free.address = at;
    free.bytes = bytes;
    return memory_.OnFree(free, time_ns);
  }

  char* memory;
};

TEST_F(PagesTest, OnlyWhatIsWrittenIsLive) {
  Allocate(1 * kMs, address(), kBytes, MemoryKind::kMapped);
  EXPECT_EQ(MappedAt(20), 0u);
  Write(0, kBytes / 2);
  EXPECT_EQ(MappedAt(40), kBytes / 2);
  Write(0, kBytes);
  EXPECT_EQ(MappedAt(60), kBytes);
}

TEST_F(PagesTest, WhatIsGivenBackIsNotLive) {
  Write(0, kBytes);
  Allocate(1 * kMs, address(), kBytes, MemoryKind::kMapped);
  EXPECT_EQ(MappedAt(20), kBytes);
  madvise(memory, kBytes / 2, MADV_DONTNEED);
  Tell(transport::kDiscarded, address(), kBytes / 2, 25 * kMs);
  EXPECT_EQ(MappedAt(40), kBytes / 2);
}

// What is gone before the next check was used, and so was what grew when it was last checked.
TEST_F(PagesTest, WhatWasInUseBetweenChecksIsInThePeak) {
  Allocate(1 * kMs, address(), kBytes / 2, MemoryKind::kMapped);
  Tell(0, address(), kBytes / 2, 2 * kMs);
  Write(0, kBytes / 2);
  Allocate(3 * kMs, address(), kBytes, MemoryKind::kMapped);
  memory_.Check(10 * kMs);
  Tell(0, address(), kBytes, 15 * kMs);
  memory_.Checkpoint(20 * kMs);
  const Rows rows = Written();
  ASSERT_THAT(rows.peaks, SizeIs(1));
  ASSERT_THAT(rows.peaks[0].parts, SizeIs(1));
  EXPECT_EQ(rows.peaks[0].parts[0].amount.bytes, kBytes);
}

// More of them than there is time to ask for.
TEST_F(PagesTest, VeryManyBlocksCountAsFilledUntilItIsTheirTurn) {
  constexpr uint64_t kBlock = 64 << 10;
  constexpr uint64_t kBlocks = 10'000;
  const auto untouched =
      reinterpret_cast<uint64_t>(mmap(nullptr, kBlocks * kBlock, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  for (uint64_t i = 0; i < kBlocks; ++i)
    Allocate(20 * kMs, untouched + i * kBlock, kBlock, MemoryKind::kMapped);
  memory_.Check(20 * kMs);
  EXPECT_GT(Written().levels.back().mapped_bytes, 0u);
  uint64_t ms = 20;
  while (MappedAt(ms += 100) != 0) ASSERT_LT(ms, 100'000u);
  munmap(reinterpret_cast<void*>(untouched), kBlocks * kBlock);
}

// Then the collector comes too late.
TEST_F(PagesTest, AtTheEndTheAgentKnows) {
  Allocate(1 * kMs, address(), kBytes, MemoryKind::kMapped);
  Tell(transport::kTaken, address(), kBytes / 4, 2 * kMs);
  Tell(transport::kAtExit, 0, 0, 2 * kMs);
  memory_.End(30 * kMs);
  const Rows rows = Written();
  ASSERT_THAT(rows.survivors, SizeIs(1));
  ASSERT_THAT(rows.survivors[0].parts, SizeIs(1));
  EXPECT_EQ(rows.survivors[0].parts[0].amount.bytes, kBytes / 4);
}

TEST_F(MemoryCaptureTest, NonsenseIsRefused) {
  EXPECT_FALSE(Allocate(1, 16, 1, static_cast<MemoryKind>(4)));
  EXPECT_FALSE(Allocate(1, 16, uint64_t{1} << 51));
  EXPECT_FALSE(Allocate(1, ~uint64_t{0}, 2, MemoryKind::kMapped));
  EXPECT_FALSE(Allocate(1, 16, 0, MemoryKind::kMapped));
  EXPECT_FALSE(Free(1, 16, 0, MemoryKind::kCopied));
  EXPECT_FALSE(Free(1, 16, 0, static_cast<MemoryKind>(99)));
  memory_.Checkpoint(20 * kMs);
  EXPECT_THAT(Written().changes, IsEmpty());
}

// An object of a type of its own, in the memory of this process.
class MadeObject {
 public:
  MadeObject(const cpython::Layout& layout, const char* name) {
    const cpython::ObjectLayout& objects = *cpython::FindObjectLayout(layout.minor, false);
    Put(meta_, layout.object.type, Address(meta_));
    Put(meta_, objects.type_flags, uint64_t{1} << 31);
    Put(type_, layout.object.type, Address(meta_));
    Put(type_, objects.type_name, reinterpret_cast<uint64_t>(name));
    Put(type_, objects.type_basic_size, 24);
    Put(object_, 0, 1);
    Put(object_, layout.object.type, Address(type_));
  }
  uint64_t address() const { return Address(object_); }

 private:
  using Memory = std::array<uint64_t, 512>;

  static uint64_t Address(const Memory& memory) { return reinterpret_cast<uint64_t>(&memory); }
  static void Put(Memory& memory, size_t offset, uint64_t value) {
    std::memcpy(reinterpret_cast<char*>(memory.data()) + offset, &value, sizeof value);
  }

  Memory meta_{}, type_{}, object_{};
};

TEST_F(MemoryCaptureTest, ObjectsThatLiveForTwoWindowsHaveTypes) {
  static constexpr char kName[] = "Spam";
  const MadeObject old(layout_, kName), young(layout_, kName);
  Allocate(1 * kMs, old.address(), 64, MemoryKind::kPython);
  memory_.Check(20 * kMs);
  Allocate(21 * kMs, young.address(), 32, MemoryKind::kPython);
  memory_.Check(40 * kMs);
  memory_.Checkpoint(50 * kMs);
  const Rows rows = Written();
  ASSERT_THAT(rows.survivors, SizeIs(1));
  std::map<std::string, uint64_t> bytes;
  for (const format::LiveMemory& part : rows.survivors[0].parts)
    bytes[part.type == format::kEmptyString ? "" : rows.strings.at(part.type)] = part.amount.bytes;
  EXPECT_EQ(bytes, (std::map<std::string, uint64_t>{{"Spam", 64}, {"", 32}}));
}

}  // namespace
}  // namespace pyrometer::capture
