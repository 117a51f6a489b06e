// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "transport/ring_reader.h"
#include "transport/ring_writer.h"

namespace pyrometer::transport {
namespace {

class RingTest : public testing::Test {
 protected:
  static constexpr uint64_t kBytes = 4096;
  RingTest() : data_(kBytes / 8), header_(std::make_unique<RingHeader>()) {
    header_->ring_bytes = kBytes;
    auto* bytes = reinterpret_cast<uint8_t*>(data_.data());
    writer_ = RingWriter(header_.get(), bytes);
    reader_ = RingReader(header_.get(), bytes, kBytes);
  }

  bool Write(uint32_t producer, uint32_t value, uint32_t bytes = 24) {
    uint8_t* p = writer_.Reserve(bytes);
    if (p == nullptr) return false;
    std::memcpy(p + 8, &producer, 4);
    std::memcpy(p + 12, &value, 4);
    RingWriter::Commit(p, bytes, RecordType::kSample);
    return true;
  }

  std::vector<uint32_t> Read() {
    std::vector<uint32_t> values;
    EXPECT_TRUE(reader_.Drain([&](RecordType type, std::span<const uint8_t> record) {
      EXPECT_EQ(type, RecordType::kSample);
      uint32_t value;
      std::memcpy(&value, record.data() + 12, 4);
      values.push_back(value);
    }));
    return values;
  }

  std::vector<uint64_t> data_;
  std::unique_ptr<RingHeader> header_;
  RingWriter writer_;
  RingReader reader_;
};

TEST_F(RingTest, KeepsOrderAcrossManyLaps) {
  uint32_t next = 0, expected = 0;
  for (int lap = 0; lap < 1000; ++lap) {
    for (int i = 0; i < 7; ++i, ++next) ASSERT_TRUE(Write(0, next, 24 + 8 * (next % 31)));
    for (uint32_t v : Read()) ASSERT_EQ(v, expected++);
  }
  EXPECT_EQ(expected, next);
}

TEST_F(RingTest, FullRefusesAndRecovers) {
  uint32_t written = 0;
  while (Write(0, written)) ++written;
  EXPECT_EQ(written, kBytes / 24);
  EXPECT_EQ(Read().size(), written);
  EXPECT_TRUE(Write(0, 1));
}

TEST_F(RingTest, UncommittedRecordStopsTheReaderUntilItIsCommitted) {
  uint8_t* open = writer_.Reserve(24);
  ASSERT_TRUE(Write(0, 5));
  EXPECT_TRUE(Read().empty());
  RingWriter::Commit(open, 24, RecordType::kPadding);
  EXPECT_EQ(Read(), std::vector<uint32_t>{5});
}

TEST_F(RingTest, NonsenseIsRefused) {
  uint8_t* p = writer_.Reserve(24);
  RingWriter::Commit(p, 1u << 30, RecordType::kSample);
  EXPECT_FALSE(reader_.Drain([](RecordType, std::span<const uint8_t>) { FAIL(); }));
  header_->head = 1u << 30;
  EXPECT_FALSE(reader_.Drain([](RecordType, std::span<const uint8_t>) { FAIL(); }));
}

TEST_F(RingTest, ManyProducersLoseNothingThatWasAccepted) {
  constexpr uint32_t kProducers = 4, kEach = 5000;
  std::atomic<uint32_t> done{0};
  std::vector<std::thread> producers;
  for (uint32_t id = 0; id < kProducers; ++id)
    producers.emplace_back([&, id] {
      for (uint32_t i = 0; i < kEach;) {
        if (Write(id, i, 24 + 8 * (i % 5)))
          ++i;
        else
          std::this_thread::yield();
      }
      ++done;
    });
  std::map<uint32_t, uint32_t> next;
  bool last = false;
  while (!last) {
    last = done == kProducers;
    ASSERT_TRUE(reader_.Drain([&](RecordType, std::span<const uint8_t> record) {
      uint32_t id, value;
      std::memcpy(&id, record.data() + 8, 4);
      std::memcpy(&value, record.data() + 12, 4);
      ASSERT_EQ(value, next[id]++);
    }));
  }
  for (auto& t : producers) t.join();
  for (uint32_t id = 0; id < kProducers; ++id) EXPECT_EQ(next[id], kEach);
}

}  // namespace
}  // namespace pyrometer::transport
