// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/memory/memory_ledger.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "capture/probes/memory/memory_estimate.h"

namespace pyrometer::capture {
namespace {

using format::MemoryKind;

// The largest request that pymalloc does not pass on, in every version.
constexpr uint64_t kSmallRequestBytes = 512;

}  // namespace

uint64_t MemoryLedger::Allocate(const MemoryRequest& request) {
  Settle(request.time_ns);
  if (request.kind == MemoryKind::kMapped) {
    FreeRange(request.address, request.bytes);
  } else if (request.kind != MemoryKind::kCopied) {
    if (const auto it = blocks_.find(request.address); it != blocks_.end()) {
      ++unmatched_;
      Forget(it->first, it->second);
      blocks_.erase(it);
    }
  }
  MemoryPlace* place = places_.Find(request.thread, request.stack, request.kind);
  if (place == nullptr || (request.kind != MemoryKind::kCopied && live_count() >= kMaxLive)) {
    ++refused_;
    return 0;
  }
  LiveBlock block;
  block.place = place;
  block.bytes = request.bytes;
  block.amount = EstimateMemory(request.bytes, request.weight, request.marks);
  block.number = ++last_number_;
  block.exact = request.IsExact();
  block.reserve = request.is_reserve;
  if (block.exact) {
    block.amount.bytes = std::min(block.bytes, request.taken_bytes);
    block.growing = !request.is_worth_checking;  // it has only just been asked for
    untaken_bytes_ += block.untaken();
  }
  places_.CountAllocated(*place, block.amount);
  if (request.kind == MemoryKind::kCopied) return 0;
  const bool is_range = request.kind == MemoryKind::kMapped;
  if (block.untaken() != 0 || request.is_worth_checking)
    partly_taken_.push_back({is_range, request.address, block.number});
  if (is_range || block.exact) {
    Hold(block, request.time_ns);
  } else {
    ++place->fresh;
    fresh_.push_back({request.address, block.number, request.time_ns});
  }
  if (is_range) {
    ranges_.Add(request.address, block);
  } else {
    blocks_.emplace(request.address, block);
    if (IsLarge(request)) large_[request.address] = block.number;
  }
  return block.number;
}

void MemoryLedger::Settle(uint64_t now_ns) {
  for (; !fresh_.empty() && now_ns >= fresh_.front().time_ns + kMomentNs; fresh_.pop_front()) {
    LiveBlock* block = Find(fresh_.front().address, fresh_.front().number);
    if (block == nullptr) continue;
    --block->place->fresh;
    Hold(*block, fresh_.front().time_ns);
  }
}

void MemoryLedger::Hold(LiveBlock& block, uint64_t time_ns) {
  block.held = true;
  if (IsSmall(block)) small_bytes_ += block.amount.bytes;
  places_.Hold(*block.place, block.amount, time_ns);
}

void MemoryLedger::Free(MemoryKind kind, uint64_t address, uint64_t bytes, uint64_t time_ns) {
  Settle(time_ns);
  if (kind == MemoryKind::kMapped) return FreeRange(address, bytes);
  const auto it = blocks_.find(address);
  if (it == blocks_.end()) {
    ++unmatched_;
    return;
  }
  Forget(it->first, it->second);
  blocks_.erase(it);
}

void MemoryLedger::Forget(uint64_t address, const LiveBlock& block) {
  if (block.exact) large_.erase(address);
  Release(block);
}

void MemoryLedger::FreeRange(uint64_t address, uint64_t bytes) {
  uint64_t gone_bytes = 0;
  for (const LiveBlock& part : ranges_.Remove(address, bytes, live_count() < kMaxLive)) {
    Release(part);
    gone_bytes += part.bytes;
  }
  if (gone_bytes > bytes) ++refused_;  // what lies behind a hole found no room
  // Else it is a block of its own now.
  if (const LiveBlock* rest = ranges_.Find(address + bytes);
      rest != nullptr && rest->untaken() != 0)
    partly_taken_.push_back({true, address + bytes, rest->number});
}

LiveBlock* MemoryLedger::Find(const Handle& handle) {
  if (!handle.is_range) return Find(handle.address, handle.number);
  LiveBlock* block = ranges_.Find(handle.address);
  return block != nullptr && block->number == handle.number ? block : nullptr;
}

void MemoryLedger::Take(LiveBlock& block, uint64_t taken_bytes, uint64_t time_ns) {
  const uint64_t before = block.amount.bytes;
  const uint64_t now = std::min(taken_bytes, block.bytes);
  if (!block.exact || now == before) return;
  if (now > before) {
    const format::MemoryAmount more{now - before, 0, 0, 0};
    places_.CountAllocated(*block.place, more);
    places_.Hold(*block.place, more, time_ns);
    block.gone_bytes -= std::min(block.gone_bytes, more.bytes);
  } else {
    const format::MemoryAmount less{before - now, 0, 0, 0};
    // Pages do not go by themselves: where the program has not discarded them, they were only
    // taken for taken, and will be counted when they are.
    if (block.discarded || !places_.TakeBack(*block.place, less.bytes)) {
      places_.CountFreed(*block.place, less);
      block.gone_bytes += less.bytes;
    }
    places_.Drop(*block.place, less);
  }
  untaken_bytes_ += before - now;
  block.amount.bytes = now;
}

void MemoryLedger::Discard(uint64_t address, uint64_t bytes) {
  const uint64_t end = bytes > ~address ? ~uint64_t{0} : address + bytes;
  const auto suspect = [&](const Handle& handle) {
    LiveBlock* block = Find(handle);
    if (block == nullptr || !block->exact || handle.address + block->bytes <= address) return;
    if (block->untaken() == 0) partly_taken_.push_back(handle);
    block->growing = false;
    block->discarded = true;
  };
  auto block = large_.upper_bound(address);
  if (block != large_.begin()) --block;
  for (; block != large_.end() && block->first < end; ++block)
    suspect({false, block->first, block->second});
  const auto& ranges = ranges_.ranges();
  auto range = ranges.upper_bound(address);
  if (range != ranges.begin()) --range;
  for (; range != ranges.end() && range->first < end; ++range)
    suspect({true, range->first, range->second.number});
}

// As if it had been taken and freed.
void MemoryLedger::CountUntaken(const LiveBlock& block) {
  if (block.untaken() <= block.gone_bytes || block.reserve) return;
  const format::MemoryAmount untaken{block.untaken() - block.gone_bytes, 0, 0, 0};
  places_.CountAllocated(*block.place, untaken);
  places_.CountFreed(*block.place, untaken);
}

void MemoryLedger::CountUntaken() {
  for (const Handle& handle : partly_taken_)
    if (const LiveBlock* block = Find(handle); block != nullptr) CountUntaken(*block);
}

void MemoryLedger::Release(const LiveBlock& block) {
  CountUntaken(block);
  untaken_bytes_ -= block.untaken();
  places_.CountFreed(*block.place, block.amount);
  if (!block.held) {
    --block.place->fresh;
    return;
  }
  if (IsSmall(block)) small_bytes_ -= block.amount.bytes;
  places_.Drop(*block.place, block.amount);
}

bool MemoryLedger::IsSmall(const LiveBlock& block) const {
  return block.place->kind == MemoryKind::kPython && block.bytes <= kSmallRequestBytes;
}

LiveBlock* MemoryLedger::Find(uint64_t address, uint64_t number) {
  const auto it = blocks_.find(address);
  return it != blocks_.end() && it->second.number == number ? &it->second : nullptr;
}

std::vector<format::LiveMemory> MemoryLedger::Live() const {
  using Key = std::tuple<format::ThreadId, format::StackId, MemoryKind, format::StringId>;
  std::map<Key, format::MemoryAmount> sums;
  const auto add = [&](const LiveBlock& block) {
    const MemoryPlace& place = *block.place;
    sums[{place.thread, place.stack, place.kind, block.type}] += block.amount;
  };
  for (const auto& [address, block] : blocks_) add(block);
  for (const auto& [address, block] : ranges_.ranges()) add(block);
  std::vector<format::LiveMemory> parts;
  parts.reserve(sums.size());
  for (const auto& [key, amount] : sums)
    parts.push_back(
        {std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key), amount});
  return parts;
}

}  // namespace pyrometer::capture
