// SPDX-License-Identifier: Apache-2.0
#include "format/memory_change_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "format/capture_writer.h"
#include "format/memory_sink.h"

namespace pyrometer::format {
namespace {

std::vector<MemoryChange> RoundTrip(const std::vector<MemoryChange>& changes) {
  ByteWriter out;
  EncodeMemoryChanges(changes, out);
  ByteReader in(out.bytes());
  MemoryChangeDecoder decoder(in);
  std::vector<MemoryChange> decoded;
  for (MemoryChange c; decoder.remaining() > 0 && decoder.Next(c);) decoded.push_back(c);
  EXPECT_TRUE(decoder.ok() && decoder.AtEnd() && in.AtEnd());
  return decoded;
}

// A window of a program that allocates at `places` places and keeps some of it.
std::vector<MemoryChange> Window(uint64_t time_ns, uint32_t places, std::mt19937_64& random) {
  std::geometric_distribution<uint64_t> count(0.4);
  std::vector<MemoryChange> changes;
  for (uint32_t place = 0; place < places; ++place) {
    const uint64_t samples = count(random) + 1, freed = count(random);
    changes.push_back(
        {.time_ns = time_ns,
         .thread = ThreadId(place % 3),
         .stack = StackId(1000 + 7 * place),
         .kind = static_cast<MemoryKind>(place % kMemoryKindCount),
         .allocated = {samples * 524'400, samples * 9'362, samples, samples * 262'000},
         .freed = {freed * 524'400, freed * 9'362, freed, freed * 262'000},
         .high_bytes = 8 * 524'400});
  }
  return changes;
}

TEST(MemoryChangeCodecTest, NoChanges) { EXPECT_TRUE(RoundTrip({}).empty()); }

TEST(MemoryChangeCodecTest, ExtremeValuesSurvive) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  constexpr uint32_t kMax32 = std::numeric_limits<uint32_t>::max();
  const std::vector<MemoryChange> changes = {
      {.time_ns = kMax,
       .thread = ThreadId(kMax32),
       .stack = StackId(kMax32),
       .kind = MemoryKind::kCopied,
       .allocated = {kMax, kMax, kMax, kMax},
       .freed = {kMax, kMax, kMax, kMax},
       .high_bytes = kMax},
      {},
      {.thread = ThreadId(kMax32), .stack = StackId(kMax32), .kind = MemoryKind::kCopied},
  };
  EXPECT_EQ(RoundTrip(changes), changes);
}

TEST(MemoryChangeCodecTest, WindowsSurvive) {
  std::mt19937_64 random(5);
  std::vector<MemoryChange> changes;
  for (uint64_t time = 1; time <= 20; ++time)
    for (const MemoryChange& change : Window(time * 20'000'000, 30, random))
      changes.push_back(change);
  EXPECT_EQ(RoundTrip(changes), changes);
}

TEST(MemoryChangeCodecTest, CutColumnsEndTheBlock) {
  std::mt19937_64 random(6);
  ByteWriter out;
  EncodeMemoryChanges(Window(1, 3, random), out);
  for (size_t size = 0; size < out.size(); ++size) {
    ByteReader in(out.bytes().first(size));
    EXPECT_FALSE(MemoryChangeDecoder(in).ok()) << "cut at " << size;
  }
}

TEST(MemoryChangeCodecTest, IdsBeyondTheirRangeEndTheBlock) {
  for (const size_t column : {1u, 2u}) {
    ByteWriter out;
    out.Varint(1);
    for (size_t i = 0; i < kMemoryChangeColumns; ++i) out.Varint(1);
    for (size_t i = 0; i < kMemoryChangeColumns; ++i) out.Byte(i == column ? 1 : 0);  // -1
    ByteReader in(out.bytes());
    MemoryChangeDecoder decoder(in);
    MemoryChange change;
    EXPECT_TRUE(decoder.ok());
    EXPECT_FALSE(decoder.Next(change));
  }
}

// A file that is flushed once a second.
TEST(MemoryChangeCodecTest, RowsAreCheap) {
  constexpr uint64_t kSeconds = 20;
  constexpr uint32_t kPlaces = 200;
  std::mt19937_64 random(7);
  MemorySink sink;
  CaptureWriter writer(sink, {});
  for (uint64_t second = 0; second < kSeconds; ++second) {
    for (const MemoryChange& change : Window(second * 1'000'000'000, kPlaces, random))
      writer.AddMemoryChange(change);
    EXPECT_TRUE(writer.Flush().ok());
  }
  EXPECT_LE(static_cast<double>(sink.bytes().size()) / (kSeconds * kPlaces), 12.0);
}

}  // namespace
}  // namespace pyrometer::format
