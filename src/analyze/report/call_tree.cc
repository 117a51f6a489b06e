// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/call_tree.h"

namespace pyrometer::analyze {

void CallAmount::Add(const CallAmount& other) {
  value += other.value;
  samples += other.samples;
  for (size_t i = 0; i < parts.size(); ++i) parts[i] += other.parts[i];
}

double CallTree::Percent(uint64_t value) const {
  return total.value == 0 ? 0
                          : 100.0 * static_cast<double>(value) / static_cast<double>(total.value);
}

bool CallTree::IsWorth(uint64_t value) const {
  return value != 0 && Percent(value) >= threshold_percent;
}

}  // namespace pyrometer::analyze
