// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/memory_stats.h"

#include <algorithm>
#include <cmath>

namespace pyrometer::analyze {
namespace {

constexpr double kZ = 1.959963984540054;  // two-sided 95 % of the normal
constexpr double kBytes2PerKib2 = 1024.0 * 1024.0;

// Copies between these shares of what a line allocates are taken for copies of
// what it allocates.
constexpr double kLeastCopyShare = 0.5, kMostCopyShare = 2;

uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

uint64_t WholeBytes(double bytes) {
  if (!(bytes > 0)) return 0;
  return bytes < 0x1p64 ? static_cast<uint64_t>(bytes) : ~uint64_t{0};
}

void MemorySum::Add(const format::MemoryAmount& amount) {
  bytes += amount.bytes;
  blocks += amount.blocks;
  samples += amount.samples;
  variance += static_cast<double>(amount.variance_kib2) * kBytes2PerKib2;
}

void MemorySum::Remove(const format::MemoryAmount& amount) {
  bytes = Less(bytes, amount.bytes);
  blocks = Less(blocks, amount.blocks);
  samples = Less(samples, amount.samples);
  variance = std::max(0.0, variance - static_cast<double>(amount.variance_kib2) * kBytes2PerKib2);
}

void MemorySum::Add(const MemorySum& other) {
  bytes += other.bytes;
  blocks += other.blocks;
  samples += other.samples;
  variance += other.variance;
  whole_variance = std::max(whole_variance, other.whole_variance);
}

format::MemoryAmount MemorySum::amount() const {
  return {.bytes = bytes,
          .blocks = blocks,
          .samples = samples,
          .variance_kib2 = WholeBytes(variance / kBytes2PerKib2 + 0.5)};
}

Interval MemorySum::Range() const {
  const double sum = static_cast<double>(bytes);
  if (bytes == 0 || !(variance > 0)) return {sum, sum};
  // Where each piece has one mark, all of them together are known to a piece.
  const double piece = variance / sum;
  const double share = whole_variance > 0 ? std::min(1.0, variance / whole_variance) : 0;
  const double own = std::max(variance * (1 - share), std::min(variance, piece * piece / 3));
  // What one sample stands for, on average: the variance grows by that much for
  // each byte more.
  const double weight = own / sum;
  const double centre = sum + kZ * kZ * weight / 2;
  const double half = kZ * std::sqrt(own + kZ * kZ * weight * weight / 4);
  return {std::clamp(centre - half, 0.0, sum), std::max(centre + half, sum)};
}

MemorySum MemoryByKind::native() const {
  MemorySum sum = (*this)[format::MemoryKind::kNative];
  sum.Add((*this)[format::MemoryKind::kMapped]);
  return sum;
}

MemorySum MemoryByKind::all() const {
  MemorySum sum = native();
  sum.Add(python());
  return sum;
}

void MemoryByKind::Add(const MemoryByKind& other) {
  for (size_t i = 0; i < kinds.size(); ++i) kinds[i].Add(other.kinds[i]);
}

void MemoryStats::SetWholeVariances(double all_allocated, double all_copied) {
  for (MemoryByKind* by_kind : {&allocated, &at_peak, &at_end})
    for (MemorySum& sum : by_kind->kinds) sum.whole_variance = all_allocated;
  copied.whole_variance = all_copied;
}

bool MemoryStats::CopiesWhatItAllocates() const {
  const double made = static_cast<double>(allocated.bytes());
  const double moved = static_cast<double>(copied.bytes);
  return moved > 0 && moved >= kLeastCopyShare * made && moved <= kMostCopyShare * made;
}

const MemoryStats& MemoryRow::Get(Part part) const {
  static const MemoryStats kNothing;
  return parts_[part] != nullptr ? *parts_[part] : kNothing;
}

}  // namespace pyrometer::analyze
