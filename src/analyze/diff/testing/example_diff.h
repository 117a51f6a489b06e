// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyze/diff/diff.h"
#include "analyze/diff/limit.h"

namespace pyrometer::analyze::testing {

// A comparison as it might come out, for those who show one: a function that is slower
// in one of its lines, one that is gone, memory that has not changed.
Diff ExampleDiff();
// The same with hostile names, paths and source.
Diff HostileDiff();
// Of either, one that is exceeded and one that holds.
std::vector<LimitResult> ExampleLimits(const Diff& diff);

}  // namespace pyrometer::analyze::testing
