// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/run_pairs.h"

#include <algorithm>

namespace pyrometer::analyze {
namespace {

// Of the longer one: a program that takes twice as long is alone for a third of it.
constexpr double kLeastTogether = 0.5;

bool SideBySide(const RunAmounts& a, const RunAmounts& b) {
  if (!a.only_cpu || a.only_cpu != b.only_cpu) return false;
  if (a.start_unix_ns == 0 || b.start_unix_ns == 0) return false;
  const uint64_t start = std::max(a.start_unix_ns, b.start_unix_ns);
  const uint64_t end = std::min(a.start_unix_ns + a.elapsed_ns, b.start_unix_ns + b.elapsed_ns);
  if (end <= start) return false;
  const uint64_t longer = std::max(a.elapsed_ns, b.elapsed_ns);
  return static_cast<double>(end - start) >= kLeastTogether * static_cast<double>(longer);
}

}  // namespace

std::vector<uint32_t> FindPairs(std::span<const RunAmounts> base, std::span<const RunAmounts> now) {
  if (base.size() != now.size()) return {};
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> pairs(base.size() + now.size(), kNone);
  for (size_t i = 0; i < base.size(); ++i) {
    for (size_t j = 0; j < now.size(); ++j) {
      if (!SideBySide(base[i], now[j])) continue;
      uint32_t& of_base = pairs[i];
      uint32_t& of_now = pairs[base.size() + j];
      if (of_base != kNone || of_now != kNone) return {};  // three at a time
      of_base = of_now = static_cast<uint32_t>(i);
    }
    if (pairs[i] == kNone) return {};
  }
  return pairs;
}

}  // namespace pyrometer::analyze
