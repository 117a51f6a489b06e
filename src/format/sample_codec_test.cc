// SPDX-License-Identifier: Apache-2.0
#include "format/sample_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "format/capture_writer.h"
#include "format/memory_sink.h"

namespace pyrometer::format {
namespace {

std::vector<Sample> RoundTrip(const std::vector<Sample>& samples) {
  ByteWriter out;
  EncodeSamples(samples, out);
  ByteReader in(out.bytes());
  SampleDecoder decoder(in, KindOf(samples));
  std::vector<Sample> decoded;
  for (Sample sample; decoder.remaining() > 0 && decoder.Next(sample);) decoded.push_back(sample);
  EXPECT_TRUE(decoder.ok() && decoder.AtEnd() && in.AtEnd());
  return decoded;
}

// What a 250 Hz timer sees of a program: ticks with some jitter, a thread that
// now and then loses a little to others, and some dozens of stacks.
class Ticker {
 public:
  explicit Ticker(uint32_t thread) : random_(thread), thread_(thread) {}

  Sample Next() {
    const uint64_t before_ns = time_ns_;
    tick_ns_ += 4'000'000;
    time_ns_ = tick_ns_ + static_cast<uint64_t>(jitter_(random_));
    if (change_(random_) < 0.6) stack_ = static_cast<uint32_t>(depth_(random_)) + 1;
    return {.time_ns = time_ns_,
            .thread = ThreadId(thread_),
            .stack = StackId(stack_),
            .activity = stack_ % 4 == 0 ? Activity::kNative : Activity::kPython,
            .weight_ns = time_ns_ - before_ns - static_cast<uint64_t>(stolen_(random_))};
  }

 private:
  std::mt19937_64 random_;
  std::exponential_distribution<> jitter_{1.0 / 15'000};
  std::exponential_distribution<> stolen_{1.0 / 3'000};
  std::uniform_real_distribution<> change_{0, 1};
  std::geometric_distribution<> depth_{0.05};
  uint32_t thread_;
  uint32_t stack_ = 1;
  uint64_t tick_ns_ = 0;
  uint64_t time_ns_ = 0;
};

// Bytes a sample takes in a file that is flushed once a second. About six are
// wanted; the random part of the clocks alone is worth more than three.
double BytesPerSample(std::vector<Ticker> threads) {
  constexpr size_t kSeconds = 20;
  constexpr size_t kRate = 250;
  MemorySink sink;
  CaptureWriter writer(sink, {});
  for (size_t second = 0; second < kSeconds; ++second) {
    for (Ticker& thread : threads) {
      for (size_t i = 0; i < kRate; ++i) writer.AddSample(thread.Next());
    }
    EXPECT_TRUE(writer.Flush().ok());
  }
  return static_cast<double>(sink.bytes().size()) /
         static_cast<double>(kSeconds * kRate * threads.size());
}

TEST(SampleCodecTest, NoSamples) { EXPECT_TRUE(RoundTrip({}).empty()); }

TEST(SampleCodecTest, ExtremeValuesSurvive) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  constexpr uint32_t kMax32 = std::numeric_limits<uint32_t>::max();
  const std::vector<Sample> samples = {
      {.time_ns = kMax, .thread = ThreadId(kMax32), .stack = StackId(kMax32), .weight_ns = kMax},
      {.time_ns = 0, .thread = ThreadId(0), .activity = Activity::kOtherWait, .count = kMax32},
      {.time_ns = kMax / 2, .thread = ThreadId(kMax32), .stack = StackId(1), .weight_ns = 0},
      {.time_ns = 1, .thread = ThreadId(0), .stack = StackId(kMax32), .weight_ns = kMax},
  };
  EXPECT_EQ(RoundTrip(samples), samples);
}

TEST(SampleCodecTest, InterleavedThreadsSurvive) {
  Ticker a(0);
  Ticker b(700);
  std::vector<Sample> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back(i % 3 == 0 ? a.Next() : b.Next());
  EXPECT_EQ(RoundTrip(samples), samples);
}

TEST(SampleCodecTest, TasksSurvive) {
  Ticker ticker(5);
  std::vector<Sample> samples;
  for (uint32_t i = 0; i < 100; ++i) {
    samples.push_back(ticker.Next());
    if (i % 3 != 0) samples.back().task = TaskId(i % 5 == 0 ? 0xffffffff : i / 7);
  }
  EXPECT_EQ(KindOf(samples), SampleKind::kInTasks);
  EXPECT_EQ(RoundTrip(samples), samples);
}

TEST(SampleCodecTest, CutColumnsEndTheBlock) {
  ByteWriter out;
  const Ticker fresh(3);
  Ticker ticker = fresh;
  const std::vector<Sample> samples = {ticker.Next(), ticker.Next(), ticker.Next()};
  EncodeSamples(samples, out);
  for (size_t size = 0; size < out.size(); ++size) {
    ByteReader in(out.bytes().first(size));
    SampleDecoder decoder(in, SampleKind::kPlain);
    EXPECT_FALSE(decoder.ok()) << "cut at " << size;
  }
}

TEST(SampleCodecTest, OneThreadIsCheap) { EXPECT_LE(BytesPerSample({Ticker(0)}), 6.3); }

TEST(SampleCodecTest, ManyThreadsAreCheap) {
  EXPECT_LE(BytesPerSample({Ticker(0), Ticker(1), Ticker(2), Ticker(3)}), 6.3);
}

TEST(SampleCodecTest, SamplesThatABlockOnlyClaimsAreMissing) {
  Ticker ticker(1);
  const std::vector<Sample> samples = {ticker.Next(), ticker.Next()};
  ByteWriter out;
  EncodeSamples(samples, out);
  std::vector<uint8_t> block(out.bytes().begin(), out.bytes().end());
  ASSERT_EQ(block[0], samples.size());  // how many it has
  block[0] += 3;
  SampleBatch batch;
  DecodeBatch(block, SampleKind::kPlain, batch);
  EXPECT_EQ(batch.samples, samples);
  EXPECT_EQ(batch.missing, 3u);
  EXPECT_FALSE(batch.sound);
}

}  // namespace
}  // namespace pyrometer::format
