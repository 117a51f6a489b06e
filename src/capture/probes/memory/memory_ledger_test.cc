// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace pyrometer::capture {
namespace {

using format::MemoryKind;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Exact requests of one thread.
class MemoryLedgerTest : public ::testing::Test {
 protected:
  uint64_t Allocate(MemoryKind kind, uint64_t address, uint64_t bytes, uint32_t stack = 1) {
    return ledger_.Allocate({kind, {}, format::StackId(stack), address, bytes, 0, 0, ++time_ns_});
  }
  uint64_t LiveBytes() const {
    uint64_t bytes = 0;
    for (const format::LiveMemory& part : ledger_.Live()) bytes += part.amount.bytes;
    return bytes;
  }

  MemoryLedger ledger_;
  uint64_t time_ns_ = 0;
};

TEST_F(MemoryLedgerTest, WhatIsGivenBackIsNotLive) {
  Allocate(MemoryKind::kPython, 0x1000, 10);
  Allocate(MemoryKind::kNative, 0x2000, 20);
  Allocate(MemoryKind::kMapped, 0x3000, 0x2000);
  EXPECT_EQ(LiveBytes(), 30u + 0x2000u);
  ledger_.Free(MemoryKind::kPython, 0x1000, 0, time_ns_);
  ledger_.Free(MemoryKind::kNative, 0x2000, 0, time_ns_);
  ledger_.Free(MemoryKind::kMapped, 0x2000, 0x2000, time_ns_);
  EXPECT_EQ(LiveBytes(), 0x1000u);
  EXPECT_EQ(ledger_.unmatched(), 0u);
}

TEST_F(MemoryLedgerTest, AnAddressUsedAgainWasGivenBack) {
  Allocate(MemoryKind::kPython, 0x1000, 10, 1);
  Allocate(MemoryKind::kNative, 0x1000, 20, 2);
  EXPECT_EQ(LiveBytes(), 20u);
  EXPECT_EQ(ledger_.unmatched(), 1u);
  EXPECT_EQ(ledger_.places().live_bytes(MemoryKind::kPython), 0u);
}

TEST_F(MemoryLedgerTest, AMappingReplacesWhatWasThere) {
  Allocate(MemoryKind::kMapped, 0x1000, 0x3000);
  Allocate(MemoryKind::kMapped, 0x2000, 0x1000);
  EXPECT_EQ(LiveBytes(), 0x3000u);
}

TEST_F(MemoryLedgerTest, UnknownFreesAreCounted) {
  ledger_.Free(MemoryKind::kNative, 0x1000, 0, time_ns_);
  ledger_.Free(MemoryKind::kMapped, 0x1000, 0x1000, time_ns_);  // any range may be freed
  EXPECT_EQ(ledger_.unmatched(), 1u);
}

TEST_F(MemoryLedgerTest, SmallRequestsOfPythonLieInArenas) {
  Allocate(MemoryKind::kPython, 0x1000, 512);
  Allocate(MemoryKind::kPython, 0x2000, 513);
  Allocate(MemoryKind::kNative, 0x3000, 8);
  EXPECT_EQ(ledger_.small_bytes(), 512u);
  ledger_.Free(MemoryKind::kPython, 0x1000, 0, time_ns_);
  EXPECT_EQ(ledger_.small_bytes(), 0u);
}

TEST_F(MemoryLedgerTest, ABlockIsKnownByItsRequest) {
  const uint64_t first = Allocate(MemoryKind::kPython, 0x1000, 10);
  const uint64_t second = Allocate(MemoryKind::kPython, 0x1000, 10);
  EXPECT_EQ(ledger_.Find(0x1000, first), nullptr);
  ASSERT_NE(ledger_.Find(0x1000, second), nullptr);
  ledger_.Find(0x1000, second)->type = format::StringId(7);
  ASSERT_THAT(ledger_.Live(), SizeIs(1));
  EXPECT_EQ(ledger_.Live()[0].type, format::StringId(7));
}

// Of blocks that are sampled one is there for a moment, again and again, and one
// stays.
TEST_F(MemoryLedgerTest, AFlashIsNotLive) {
  constexpr uint64_t kPiece = 1 << 20;
  constexpr uint64_t kMoment = MemoryLedger::kMomentNs;
  const auto sampled = [&](uint64_t address, uint32_t stack) {
    ledger_.Allocate(
        {MemoryKind::kPython, {}, format::StackId(stack), address, 64, kPiece, 1, time_ns_});
  };
  sampled(0x1000, 1);
  for (int i = 0; i < 100; ++i) {
    sampled(0x2000, 2);
    time_ns_ += kMoment / 2;
    ledger_.Free(MemoryKind::kPython, 0x2000, 0, time_ns_);
  }
  const uint64_t one = ledger_.Live()[0].amount.bytes;
  EXPECT_EQ(one, kPiece);
  EXPECT_EQ(ledger_.places().live_bytes(MemoryKind::kPython), one);
  EXPECT_EQ(ledger_.places().peak_bytes(), one);
  EXPECT_EQ(ledger_.small_bytes(), one);
  const std::vector<format::MemoryChange> rows = ledger_.places().TakeChanges(time_ns_);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1].allocated.samples, 100u);
  EXPECT_EQ(rows[1].freed, rows[1].allocated);
  EXPECT_EQ(rows[1].high_bytes, 0u);
  sampled(0x3000, 3);
  ledger_.Settle(time_ns_ + kMoment);
  EXPECT_EQ(ledger_.places().peak_bytes(), 2 * one);
  EXPECT_EQ(ledger_.places().peak_ns(), time_ns_);
}

// Exact blocks of which only a part is taken.
class PartlyTakenTest : public MemoryLedgerTest {
 protected:
  static constexpr uint64_t kBytes = 4 << 20;
  static constexpr uint64_t kAddress = 0x10000;
  using Growing = MemoryLedger::Growing;

  void Ask(uint64_t taken, MemoryKind kind = MemoryKind::kNative, bool is_reserve = false) {
    MemoryRequest request;
    request.kind = kind;
    request.stack = format::StackId(1);
    request.address = kAddress;
    request.bytes = kBytes;
    request.time_ns = ++time_ns_;
    request.taken_bytes = taken;
    request.is_reserve = is_reserve;
    ledger_.Allocate(request);
  }
  // How many blocks were asked about.
  int Check(Growing which, uint64_t taken) {
    int asked = 0;
    ledger_.UpdateTaken(
        which,
        [&](uint64_t, uint64_t) -> std::optional<uint64_t> {
          ++asked;
          return taken;
        },
        ++time_ns_);
    return asked;
  }
  // What its place has allocated and freed so far.
  std::pair<uint64_t, uint64_t> Changes() {
    for (const format::MemoryChange& row : ledger_.places().TakeChanges(time_ns_)) {
      allocated_ += row.allocated.bytes;
      freed_ += row.freed.bytes;
    }
    return {allocated_, freed_};
  }

 private:
  uint64_t allocated_ = 0, freed_ = 0;
};

TEST_F(PartlyTakenTest, IsLiveAsFarAsItIsTaken) {
  Ask(0);
  EXPECT_EQ(LiveBytes(), 0u);
  EXPECT_EQ(ledger_.untaken_bytes(), kBytes);
  EXPECT_EQ(Check(Growing::kYes, 0), 1);  // once, when it is new
  EXPECT_EQ(Check(Growing::kYes, 0), 0);
  EXPECT_EQ(Check(Growing::kNo, 1 << 20), 1);
  EXPECT_EQ(LiveBytes(), 1u << 20);
  EXPECT_EQ(Check(Growing::kNo, 0), 0);
  EXPECT_EQ(Check(Growing::kYes, 2 * kBytes), 1);
  EXPECT_EQ(LiveBytes(), kBytes);
  EXPECT_FALSE(ledger_.HasPartlyTaken());
  EXPECT_EQ(Changes(), std::pair(kBytes, uint64_t{0}));
  EXPECT_EQ(ledger_.places().peak_bytes(), kBytes);
}

TEST_F(PartlyTakenTest, WhatWasNeverTakenIsAllocatedWhenItIsGone) {
  Ask(1 << 20);
  EXPECT_EQ(Changes(), std::pair(uint64_t{1 << 20}, uint64_t{0}));
  ledger_.Free(MemoryKind::kNative, kAddress, 0, ++time_ns_);
  EXPECT_EQ(Changes(), std::pair(kBytes, kBytes));
  EXPECT_EQ(ledger_.untaken_bytes(), 0u);
  EXPECT_EQ(Check(Growing::kYes, kBytes), 0);
  EXPECT_EQ(ledger_.places().peak_bytes(), 1u << 20);
}

TEST_F(PartlyTakenTest, AtTheEndAllThatWasAskedForCounts) {
  Ask(0);
  ledger_.CountUntaken();
  EXPECT_EQ(Changes(), std::pair(kBytes, kBytes));
  EXPECT_EQ(LiveBytes(), 0u);
}

TEST_F(PartlyTakenTest, AReserveWasNotAskedFor) {
  Ask(1 << 20, MemoryKind::kMapped, true);
  ledger_.CountUntaken();
  EXPECT_EQ(Changes(), std::pair(uint64_t{1 << 20}, uint64_t{0}));
  ledger_.Free(MemoryKind::kMapped, kAddress, kBytes, ++time_ns_);
  EXPECT_EQ(Changes(), std::pair(uint64_t{1 << 20}, uint64_t{1 << 20}));
}

TEST_F(PartlyTakenTest, WhatIsDiscardedIsLookedAtAgain) {
  for (const MemoryKind kind : {MemoryKind::kNative, MemoryKind::kMapped}) {
    Ask(kBytes, kind);
    EXPECT_FALSE(ledger_.HasPartlyTaken());
    ledger_.Discard(kAddress + kBytes, 1 << 20);
    ledger_.Discard(kAddress - (1 << 10), 1 << 10);
    EXPECT_FALSE(ledger_.HasPartlyTaken());
    ledger_.Discard(kAddress + kBytes / 2, kBytes);
    EXPECT_EQ(Check(Growing::kNo, kBytes / 2), 1);
    EXPECT_EQ(LiveBytes(), kBytes / 2);
    EXPECT_EQ(Check(Growing::kNo, kBytes), 1);
    EXPECT_EQ(LiveBytes(), kBytes);
    ledger_.Free(kind, kAddress, kBytes, ++time_ns_);
  }
}

TEST_F(PartlyTakenTest, WhatWasTakenForTakenTooEarlyCountsOnce) {
  Ask(3 << 20);
  EXPECT_EQ(Check(Growing::kYes, 1 << 20), 1);
  EXPECT_EQ(LiveBytes(), 1u << 20);
  EXPECT_EQ(Check(Growing::kNo, kBytes), 1);
  EXPECT_EQ(Changes(), std::pair(kBytes, uint64_t{0}));
  ledger_.Free(MemoryKind::kNative, kAddress, 0, ++time_ns_);
  EXPECT_EQ(Changes(), std::pair(kBytes, kBytes));
}

TEST_F(PartlyTakenTest, WhatWasReportedTooEarlyCountsOnce) {
  Ask(3 << 20);
  EXPECT_EQ(Changes(), std::pair(uint64_t{3 << 20}, uint64_t{0}));
  Check(Growing::kYes, 1 << 20);
  ledger_.Free(MemoryKind::kNative, kAddress, 0, ++time_ns_);
  EXPECT_EQ(Changes(), std::pair(kBytes, kBytes));
}

TEST_F(PartlyTakenTest, WhatIsDiscardedWasAllocatedOnce) {
  for (const MemoryKind kind : {MemoryKind::kNative, MemoryKind::kMapped}) {
    const auto [allocated, freed] = Changes();
    Ask(kBytes, kind);
    ledger_.Discard(kAddress, kBytes);
    Check(Growing::kNo, kBytes / 4);
    ledger_.Free(kind, kAddress, kBytes, ++time_ns_);
    EXPECT_EQ(Changes(), std::pair(allocated + kBytes, freed + kBytes));
  }
}

TEST_F(PartlyTakenTest, ARestBehindAHoleIsLookedAtByItself) {
  Ask(0, MemoryKind::kMapped);
  ledger_.Free(MemoryKind::kMapped, kAddress + (1 << 20), 1 << 20, ++time_ns_);
  EXPECT_EQ(Check(Growing::kYes, kBytes), 2);
  EXPECT_EQ(LiveBytes(), kBytes - (1 << 20));
}

TEST_F(MemoryLedgerTest, CopiesNeedNoRoom) {
  EXPECT_EQ(Allocate(MemoryKind::kCopied, 0, 100), 0u);
  EXPECT_EQ(Allocate(MemoryKind::kCopied, 0, 100), 0u);
  EXPECT_THAT(ledger_.Live(), IsEmpty());
  EXPECT_EQ(ledger_.unmatched(), 0u);
}

TEST_F(MemoryLedgerTest, TooManyBlocksAreRefused) {
  for (uint64_t i = 0; i < MemoryLedger::kMaxLive; ++i)
    Allocate(MemoryKind::kNative, 0x1000 + 16 * i, 1);
  EXPECT_EQ(Allocate(MemoryKind::kNative, 0x10, 1), 0u);
  EXPECT_EQ(ledger_.refused(), 1u);
  EXPECT_EQ(ledger_.places().live_bytes(MemoryKind::kNative), MemoryLedger::kMaxLive);
  Allocate(MemoryKind::kNative, 0x1000, 5);  // in the place of another
  EXPECT_EQ(ledger_.refused(), 1u);
  ledger_.Free(MemoryKind::kNative, 0x1000, 0, time_ns_);
  Allocate(MemoryKind::kMapped, 0x1000, 0x3000);
  ledger_.Free(MemoryKind::kMapped, 0x2000, 0x1000, time_ns_);  // a hole would leave two
  EXPECT_EQ(ledger_.refused(), 2u);
  EXPECT_EQ(ledger_.places().live_bytes(MemoryKind::kMapped), 0x1000u);
}

// Against the plain way: all amounts of all places after each step.
TEST_F(MemoryLedgerTest, AgreesWithPlainBookkeeping) {
  struct Plain {
    uint32_t stack;
    uint64_t bytes;
  };
  std::mt19937_64 random(3);
  const auto draw = [&](uint64_t below) { return random() % below; };
  std::map<uint64_t, Plain> blocks;
  std::map<uint32_t, uint64_t> live, peak;
  std::map<uint32_t, int64_t> changes;
  uint64_t total = 0, peak_total = 0;
  for (int step = 0; step < 20'000; ++step) {
    const uint64_t address = 16 * (1 + draw(200 + step % 4'000 / 10));
    if (const auto it = blocks.find(address); it != blocks.end()) {
      ledger_.Free(MemoryKind::kNative, address, 0, time_ns_);
      live[it->second.stack] -= it->second.bytes;
      total -= it->second.bytes;
      blocks.erase(it);
    } else {
      const Plain block{static_cast<uint32_t>(1 + draw(40)), 1 + draw(1000)};
      Allocate(MemoryKind::kNative, address, block.bytes, block.stack);
      blocks[address] = block;
      live[block.stack] += block.bytes;
      total += block.bytes;
    }
    if (total > peak_total) {
      peak_total = total;
      peak = live;
    }
    if (step % 97 == 0)
      for (const format::MemoryChange& row : ledger_.places().TakeChanges(time_ns_))
        changes[row.stack.value] += static_cast<int64_t>(row.allocated.bytes - row.freed.bytes);
  }
  for (const format::MemoryChange& row : ledger_.places().TakeChanges(time_ns_))
    changes[row.stack.value] += static_cast<int64_t>(row.allocated.bytes - row.freed.bytes);
  std::map<uint32_t, uint64_t> seen_live, seen_peak;
  for (const format::LiveMemory& part : ledger_.Live())
    seen_live[part.stack.value] = part.amount.bytes;
  for (const format::LiveMemory& part : ledger_.places().LiveAtPeak())
    seen_peak[part.stack.value] = part.amount.bytes;
  std::erase_if(live, [](const auto& entry) { return entry.second == 0; });
  std::erase_if(peak, [](const auto& entry) { return entry.second == 0; });
  std::erase_if(changes, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(seen_live, live);
  EXPECT_EQ(seen_peak, peak);
  EXPECT_EQ(ledger_.places().peak_bytes(), peak_total);
  EXPECT_EQ((std::map<uint32_t, uint64_t>(changes.begin(), changes.end())), live);
}

}  // namespace
}  // namespace pyrometer::capture
