// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/diff/run_amounts.h"

namespace pyrometer::analyze {

// Finds runs that were recorded side by side: one of each side, most of the time on the
// same CPU at the same time. The scheduler lets them take turns every few milliseconds,
// so whatever slows the machine down slows down both.
//
// Numbers of pairs, first by run of the base, then by run of the new side; empty unless
// each run belongs to exactly one.
std::vector<uint32_t> FindPairs(std::span<const RunAmounts> base, std::span<const RunAmounts> now);

}  // namespace pyrometer::analyze
