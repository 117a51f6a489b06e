// SPDX-License-Identifier: Apache-2.0
#include "format/memory_change_codec.h"

#include <algorithm>

namespace pyrometer::format {
namespace {

enum Column : size_t { kTime, kThread, kStack, kKind, kAllocated, kFreed = 8, kHigh = 12 };
static_assert(kHigh + 1 == kMemoryChangeColumns);

// Differences are taken modulo 2^64, so that any two values have one.
int64_t Difference(uint64_t a, uint64_t b) { return static_cast<int64_t>(a - b); }
uint64_t Sum(uint64_t a, int64_t b) { return a + static_cast<uint64_t>(b); }

void PutAmount(const MemoryAmount& amount, ByteWriter* columns) {
  columns[0].Varint(amount.bytes);
  columns[1].Varint(amount.blocks);
  columns[2].Varint(amount.samples);
  columns[3].Varint(amount.variance_kib2);
}

template <size_t... kIndex>
std::array<ByteReader, sizeof...(kIndex)> NoBytes(std::index_sequence<kIndex...>) {
  return {(static_cast<void>(kIndex), ByteReader({}))...};
}

}  // namespace

void EncodeMemoryChanges(std::span<const MemoryChange> changes, ByteWriter& out) {
  std::array<ByteWriter, kMemoryChangeColumns> columns;
  std::map<std::tuple<ThreadId, StackId, MemoryKind>, uint64_t> high_bytes;
  MemoryChange before;
  for (const MemoryChange& c : changes) {
    uint64_t& high = high_bytes[{c.thread, c.stack, c.kind}];
    columns[kTime].Signed(Difference(c.time_ns, before.time_ns));
    columns[kThread].Signed(Difference(c.thread.value, before.thread.value));
    columns[kStack].Signed(Difference(c.stack.value, before.stack.value));
    columns[kKind].Byte(static_cast<uint8_t>(c.kind));
    PutAmount(c.allocated, &columns[kAllocated]);
    PutAmount(c.freed, &columns[kFreed]);
    columns[kHigh].Signed(Difference(c.high_bytes, high));
    high = c.high_bytes;
    before = c;
  }
  out.Varint(changes.size());
  for (const ByteWriter& column : columns) out.Varint(column.size());
  for (const ByteWriter& column : columns) out.Bytes(column.bytes());
}

MemoryChangeDecoder::MemoryChangeDecoder(ByteReader& in)
    : remaining_(in.Varint()), columns_(NoBytes(std::make_index_sequence<kMemoryChangeColumns>())) {
  std::array<uint64_t, kMemoryChangeColumns> lengths{};
  for (uint64_t& length : lengths) length = in.Varint();
  for (size_t i = 0; i < lengths.size(); ++i) columns_[i] = ByteReader(in.Bytes(lengths[i]));
  header_ok_ = in.ok();
}

bool MemoryChangeDecoder::ok() const {
  return header_ok_ && std::ranges::all_of(columns_, [](const ByteReader& c) { return c.ok(); });
}

bool MemoryChangeDecoder::AtEnd() const {
  return std::ranges::all_of(columns_, [](const ByteReader& c) { return c.AtEnd(); });
}

MemoryAmount MemoryChangeDecoder::Amount(size_t first_column) {
  MemoryAmount amount;
  amount.bytes = columns_[first_column].Varint();
  amount.blocks = columns_[first_column + 1].Varint();
  amount.samples = columns_[first_column + 2].Varint();
  amount.variance_kib2 = columns_[first_column + 3].Varint();
  return amount;
}

bool MemoryChangeDecoder::Next(MemoryChange& change) {
  const uint64_t thread = Sum(thread_, columns_[kThread].Signed());
  const uint64_t stack = Sum(stack_, columns_[kStack].Signed());
  time_ns_ = Sum(time_ns_, columns_[kTime].Signed());
  change.time_ns = time_ns_;
  change.thread = ThreadId(static_cast<uint32_t>(thread));
  change.stack = StackId(static_cast<uint32_t>(stack));
  change.kind = static_cast<MemoryKind>(columns_[kKind].Byte());
  change.allocated = Amount(kAllocated);
  change.freed = Amount(kFreed);
  const int64_t rise = columns_[kHigh].Signed();
  if (thread != change.thread.value || stack != change.stack.value || !ok()) return false;
  uint64_t& high = high_bytes_[{change.thread, change.stack, change.kind}];
  high = Sum(high, rise);
  change.high_bytes = high;
  thread_ = change.thread.value;
  stack_ = change.stack.value;
  --remaining_;
  return true;
}

}  // namespace pyrometer::format
